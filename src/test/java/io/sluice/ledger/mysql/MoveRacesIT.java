package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.Move.Part;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.mysqlclient.MySQLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Units that move while others write to the ledger. */
class MoveRacesIT {
  private static final int INSTANCES = 4;

  @AutoClose private static final RealLedger real = new RealLedger(8);

  private static final TestDatabase database = real.database;
  private static final MySqlLedger ledger = real.ledger;
  private static final MySqlSkuLedger skus = real.skus;

  private final Sku sku =
      get(skus.sku(real.put(RealLedger.newSkuId(), 10, 3).skuId())).orElseThrow();
  private final Borrow borrow = new Borrow(sku.placed(0), sku.placed(1), 0, 1, 10);

  @RepeatedTest(20)
  void shouldEitherServeOrWithdrawARequest() {
    // given
    OwnerRequest request = unserved();
    int partition = sku.placed(0).partition();
    Fence fence = get(ledger.takeOver(partition, 0));
    Part part = new Part(request.id(), 1, sku.placed(1).partition(), 1);

    // when
    List<Future<Set<BucketId>>> instances = new ArrayList<>();
    IntStream.range(0, INSTANCES).forEach(i -> instances.add(skus.borrow(List.of(borrow))));
    Future<LendResult> owner = ledger.lend(fence, new Move(sku.placed(0).id(), 0, List.of(part)));

    // then
    long withdrawn = instances.stream().filter(each -> !get(each).isEmpty()).count();
    boolean isServed = get(owner) == LendResult.INTENDED;
    assertThat(withdrawn).as("served: %s", isServed).isEqualTo(isServed ? 0 : 1);
    assertThat(intents(partition)).hasSize(isServed ? 1 : 0);
    assertThat(get(skus.answer(request.id())).isEmpty()).isEqualTo(isServed);
  }

  /** In a stampede, orders of each bucket are booked again and again. */
  @Test
  void shouldNotWaitForBookingsOrMovesOfOtherBuckets() {
    // given
    BucketRow from = real.row(sku.placed(0).id());
    Fence fence = get(ledger.takeOver(from.partition(), 0));
    Part part = new Part(unserved().id(), 1, sku.placed(1).partition(), 1);
    MySQLConnection other = database.connect();
    get(other.query("START TRANSACTION").execute());
    lock(other, "SELECT 1 FROM inventory WHERE sku_id = %d LOCK IN SHARE MODE");
    lock(other, "SELECT 1 FROM inventory_bucket WHERE sku_id = %d AND bucket = 2 FOR UPDATE");

    // when
    LendResult lent = get(ledger.lend(fence, new Move(from.id(), 0, List.of(part))));
    OutboxRow intent = intents(from.partition()).get(0);
    TakeResult taken = get(ledger.finishTake(fence, intent, from.epoch(), from.version()));

    // then
    get(other.close());
    assertThat(lent).isEqualTo(LendResult.INTENDED);
    assertThat(taken).isEqualTo(TakeResult.DONE);
  }

  private void lock(MySQLConnection other, String sql) {
    get(other.query(sql.formatted(sku.skuId())).execute());
  }

  /** Those of bookings are mostly closed, and to open one in a stampede takes long. */
  @Test
  void shouldAskOnTheConnectionsOfLookUps() {
    // given
    TestDatabase bookings = TestDatabase.migrated(1, 1_000);
    bookings.close();
    SkuLedger buyers =
        new MySqlSkuLedger(bookings.database(), database.database(), RealLedger.PARTITIONS);

    // when
    Set<BucketId> withdrawn = get(buyers.borrow(List.of(borrow)));

    // then
    assertThat(withdrawn).isEmpty();
  }

  /** A request that was left long ago. */
  private OwnerRequest unserved() {
    get(skus.borrow(List.of(borrow)));
    OwnerRequest request =
        get(ledger.openRequests(List.of(sku.placed(0).partition()), 0, 1_000)).stream()
            .filter(open -> open.borrow().filter(borrow::equals).isPresent())
            .findFirst()
            .orElseThrow();
    database.sql(
        "UPDATE owner_request SET created_at = created_at - %d WHERE id = %d"
            .formatted(SkuLedger.UNSERVED_MAX.toMillis(), request.id()));
    return request;
  }

  private List<OutboxRow> intents(int partition) {
    return get(ledger.pending(partition, OutboxKind.RESTOCK, 0, 1_000)).stream()
        .filter(row -> row.eventType().equals(OutboxPayload.MOVE))
        .filter(row -> OutboxPayload.bucketOf(row.payload()).skuId() == sku.skuId())
        .toList();
  }
}
