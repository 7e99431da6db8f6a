package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.mysql.RealLedger.Comparison;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.IfMatch;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Nothing that a fenced transaction has locked can change before it ends. The transaction reads it
 * after another session had the time to change it.
 */
class LedgerLocksIT {
  @AutoClose private static final RealLedger real = new RealLedger(8);

  private static final MySqlLedger ledger = real.ledger;

  private BucketId bucket;
  private Grant grant;
  private Fence fence;

  @BeforeEach
  void ownTheLastBucket() {
    bucket = new BucketId(real.put(RealLedger.newSkuId(), 40, 4).skuId(), 3);
    grant = RealLedger.grant(bucket, "alice", 1);
    fence = get(real.takeOver(bucket));
  }

  @Test
  void shouldKeepASuccessorWaitingWhileTheFenceIsHeld() {
    // given
    Comparison<Map<Integer, Fence>> held = real.compare(fence, bucket, still -> ledger.fences());

    // when
    Future<Fence> successor = ledger.takeOver(fence.partition(), 0);
    giveItTime();

    // then
    assertThat(held.letGo()).containsEntry(fence.partition(), fence);
    assertThat(get(successor).term()).isGreaterThan(fence.term());
  }

  @Test
  void shouldKeepABookingBesideTheOwnerWaitingWhileItsBucketIsCompared() {
    // given
    Comparison<Long> held = comparison();

    // when
    Future<Booked> booking = ledger.book(() -> List.of(grant));
    giveItTime();

    // then
    assertThat(held.letGo()).isZero();
    assertThat(get(booking).orders()).containsOnlyKeys(grant.token());
    assertThat(real.row(bucket).held()).isEqualTo(1);
  }

  @Test
  void shouldKeepABookingOfTheOwnerWaitingWhileItsBucketIsCompared() {
    // given
    Comparison<Long> held = comparison();

    // when
    Future<Result> booking =
        Batches.apply(ledger, Step.check(fence), List.of(new Command.Reserve(grant, null)));
    giveItTime();

    // then
    assertThat(held.letGo()).isZero();
    assertThat(get(booking)).isInstanceOf(Result.Applied.class);
    assertThat(real.row(bucket).held()).isEqualTo(1);
  }

  @Test
  void shouldMarkOnlyWhenNoBucketIsHeld() {
    // given
    Comparison<Long> held = comparison();

    // when
    Future<Optional<Mark>> marking = ledger.mark(bucket.skuId());
    giveItTime();
    boolean early = marking.isComplete();

    // then
    assertThat(held.letGo()).isZero();
    assertThat(early).isFalse();
    assertThat(get(marking)).isPresent();
  }

  /** The units that it sees booked at last, and those that others see. */
  private Comparison<Long> comparison() {
    return real.compare(
        fence,
        bucket,
        still ->
            still
                .bookedOf()
                .apply(List.of(grant.token()))
                .compose(
                    booked ->
                        ledger
                            .bucket(bucket)
                            .map(row -> booked.size() + row.orElseThrow().held())));
  }

  /**
   * Waits for several transactions of others, each of which takes more round trips than the one
   * that must wait.
   */
  private static void giveItTime() {
    for (int i = 0; i < 5; i++) {
      long other = real.put(RealLedger.newSkuId(), 10, 1).skuId();
      get(real.skus.restock(other, "r1", 1, IfMatch.NOTHING));
    }
  }
}
