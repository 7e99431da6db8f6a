package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.IfMatch;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.testkit.Placements;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Nothing that a fenced transaction has locked can change before it ends. The transaction reads it
 * after another session had the time to change it.
 */
class LedgerLocksIT {
  private static final SkuSettings SETTINGS = new SkuSettings(300, 0, 0, 0);
  private static final AtomicLong LAST_SKU_ID = new AtomicLong();
  private static final int PARTITIONS = 4;

  @AutoClose private static final TestDatabase database = TestDatabase.migrated(8, 20_000);

  private static final MySqlLedger ledger = new MySqlLedger(database.database(), database.meters());
  private static final MySqlSkuLedger skus = new MySqlSkuLedger(database.database(), PARTITIONS);

  private final Promise<Void> looking = Promise.promise();
  private final Promise<Void> looked = Promise.promise();
  private BucketId bucket;
  private Fence fence;

  @BeforeEach
  void ownABucket() {
    bucket = new BucketId(newSku(), 0);
    fence = get(ledger.takeOver(Placements.partitionOf(bucket, PARTITIONS), 0));
  }

  @Test
  void shouldKeepASuccessorWaitingWhileTheFenceIsHeld() {
    // given
    Future<Optional<Map<Integer, Fence>>> held = hold(() -> ledger.fences());

    // when
    Future<Fence> successor = ledger.takeOver(fence.partition(), 0);
    giveItTime();
    looked.complete();

    // then
    assertThat(get(held).orElseThrow()).containsEntry(fence.partition(), fence);
    assertThat(get(successor).term()).isGreaterThan(fence.term());
  }

  @Test
  void shouldKeepABookingBesideTheOwnerWaitingWhileItsBucketIsCompared() {
    // given
    var alice = new OrderTokens(new byte[16]).tokenFor("alice", bucket, null);
    Grant grant = Grants.of(alice, "alice", 1, 1, 1, 1, Long.MAX_VALUE / 2);
    Future<Optional<BucketRow>> held = hold(() -> ledger.bucket(bucket).map(Optional::orElseThrow));

    // when
    Future<Booked> booking = ledger.book(List.of(grant));
    giveItTime();
    looked.complete();

    // then
    assertThat(get(held).orElseThrow().held()).isZero();
    assertThat(get(booking).orders()).containsOnlyKeys(alice);
    assertThat(get(ledger.bucket(bucket)).orElseThrow().held()).isEqualTo(1);
  }

  /**
   * Holds a comparison of the bucket open until {@code looked}; the result is what another session
   * sees committed then.
   */
  private <T> Future<Optional<T>> hold(Supplier<Future<T>> committed) {
    Future<Optional<T>> held =
        ledger.compare(
            fence,
            bucket,
            still -> {
              looking.complete();
              return looked.future().compose(go -> committed.get());
            });
    get(looking.future());
    return held;
  }

  /**
   * Waits for several transactions of others, each of which takes more round trips than the one
   * that must wait.
   */
  private static void giveItTime() {
    for (int i = 0; i < 5; i++) {
      get(skus.restock(newSku(), "r1", 1, IfMatch.NOTHING));
    }
  }

  private static long newSku() {
    long skuId = LAST_SKU_ID.incrementAndGet();
    get(skus.put(new NewSku(skuId, 10, 1, Sku.Mode.FAST, SETTINGS)));
    return skuId;
  }
}
