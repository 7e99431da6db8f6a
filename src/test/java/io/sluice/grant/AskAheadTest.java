package io.sluice.grant;

import static io.sluice.grant.ScriptedStock.bucketWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Move.Borrow;
import io.sluice.model.Placement.PlacedBucket;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/** Units are asked for before a bucket is empty whose buyers will miss them. */
class AskAheadTest {
  private static final int OWN = 1;

  private final Desk unit = new Desk(3);

  @Test
  void shouldAskForUnitsWhenABucketIsSoonEmpty() {
    // given
    others(100);
    buy();

    // when
    unit.stock.last().grantAll();

    // then
    PlacedBucket from = unit.sku().placed(2);
    PlacedBucket to = unit.sku().placed(OWN);
    assertThat(unit.ledger.borrows)
        .containsExactly(new Borrow(from, to, unit.sku().saleNo(), 50, 50));
  }

  @Test
  void shouldNotAskWhenOthersHaveFew() {
    // given
    others(Borrowing.AHEAD_LEAST - 1);
    buy();

    // when
    unit.stock.last().grantAll();

    // then
    assertThat(unit.stock.snapshots).isNotEmpty();
    assertThat(unit.ledger.borrows).isEmpty();
  }

  /** The other buckets have so many units each. */
  private void others(int units) {
    unit.stock.snapshot =
        bucket -> Future.succeededFuture(bucketWith(bucket.bucket() == OWN ? 7 : units, 1_000));
  }

  /** Seven units are left after it. */
  private void buy() {
    unit.reservations.place(Desk.wish(unit.buyerOf(OWN), Desk.SKU, 20, null), SkuEntry.OPEN);
  }
}
