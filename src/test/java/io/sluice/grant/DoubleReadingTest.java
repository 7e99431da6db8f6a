package io.sluice.grant;

import static io.sluice.grant.Desk.refusal;
import static io.sluice.grant.ScriptedStock.bucketWith;
import static io.sluice.grant.ScriptedStock.emptyBucket;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Refusal;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore.EmptyBucket;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sold out is not said while a unit moves from one bucket to another. */
class DoubleReadingTest {
  private final Desk unit = new Desk(3);

  /** A unit may have moved from a bucket that was not read yet to one that was. */
  @Test
  void shouldBeBusyWhenABucketHasChangedBetweenTheReadings() {
    // given
    unit.stock.snapshot = bucket -> Future.succeededFuture(bucketWith(0, 10));
    EmptyBucket was = emptyBucket(10);
    List<EmptyBucket> changed =
        List.of(
            new EmptyBucket(was.code(), 11, 0, 1, 30, new Contents(1, 11, 0), 250),
            new EmptyBucket(was.code(), 10, 0, 2, 30, was.contents(), 250),
            new EmptyBucket(was.code(), 10, 0, 1, 31, was.contents(), 250),
            new EmptyBucket(was.code(), 10, 1, 1, 30, new Contents(1, 11, 0), 250),
            new EmptyBucket(was.code(), 10, 0, 1, 30, new Contents(2, 10, 0), 250));

    for (EmptyBucket second : changed) {
      unit.time.advanceMs(100);
      unit.stock.soldOut =
          bucket -> Future.succeededFuture(bucket.bucket() == 2 ? second : emptyBucket(10));

      // when
      Future<PlacedOrder> placed = refuse(1);

      // then
      assertThat(refusal(placed)).as("%s", second).isEqualTo(Refusal.BUSY);
    }
  }

  /** A unit on its way is in no bucket. */
  @Test
  void shouldBeBusyWhenTheTotalsDoNotAddUp() {
    // given
    unit.stock.snapshot =
        bucket -> Future.succeededFuture(bucketWith(0, bucket.bucket() == 2 ? 9 : 10));
    unit.stock.soldOut =
        bucket -> Future.succeededFuture(emptyBucket(bucket.bucket() == 2 ? 9 : 10));

    // when
    Future<PlacedOrder> placed = refuse(1);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
  }

  private Future<PlacedOrder> refuse(int bucket) {
    Future<PlacedOrder> placed = unit.place(unit.buyerOf(bucket));
    unit.stock.last().refuseAll(Refusal.SOLD_OUT);
    return placed;
  }
}
