package io.sluice.contract;

import static io.sluice.model.OrderStatus.CANCELED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.Placement;
import io.sluice.model.Reason;
import io.sluice.model.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to orders of SKUs that sell in the ledger alone, and to their units. */
abstract class DirectLifeContract extends DirectScene {
  @Test
  void shouldBringUnitsWhereTheyAreWantedWhenABucketIsEmpty() {
    // given
    BucketId first = direct(9, 2, SETTINGS);
    BucketId second = new BucketId(first.skuId(), 1);
    booked(wish(second, "ann", 4));

    // when
    List<Outcome> before = place(wish(second, "bob", 1), wish(second, "cid", 6));
    boolean gathered = get(direct().gather(second, 1));
    List<Outcome> after = place(wish(second, "bob", 1));

    // then
    assertThat(before.get(0)).isEqualTo(new Outcome.Elsewhere(0));
    assertThat(refusal(before.get(1))).isEqualTo(Refusal.SOLD_OUT);
    assertThat(gathered).isTrue();
    assertThat(after.get(0)).isInstanceOf(Outcome.Booked.class);
    assertThat(row(first).allotted()).isEqualTo(2);
    assertThat(row(second).allotted()).isEqualTo(7);
  }

  @Test
  void shouldSellEveryUnitWhenAllBuyersAreInOneBucket() {
    // given
    BucketId bucket = direct(12, 5, SETTINGS);

    // when
    for (int i = 0; i < 13; i++) {
      if (place(wish(bucket, Buyers.of(i), 1)).get(0) instanceof Outcome.Elsewhere) {
        get(direct().gather(bucket, 1));
        place(wish(bucket, Buyers.of(i), 1));
      }
    }

    // then
    assertThat(row(bucket).held()).isEqualTo(12);
    assertThat(refusal(place(wish(bucket, "late", 1)).get(0))).isEqualTo(Refusal.SOLD_OUT);
  }

  @Test
  void shouldGatherFromSeveralWhenOneHasTooFew() {
    // given
    BucketId bucket = direct(6, 3, SETTINGS);

    // when
    boolean enough = get(direct().gather(bucket, 6));
    boolean tooMany = get(direct().gather(bucket, 7));

    // then
    assertThat(enough).isTrue();
    assertThat(tooMany).isFalse();
    assertThat(booked(wish(bucket, "ann", 6)).qty()).isEqualTo(6);
  }

  @Test
  void shouldListWhatIsDueByItsOwnPartition() {
    // given
    BucketId bucket = direct(10);
    Order order = booked(wish(bucket, "ann", 2));
    Order extended = booked(wish(bucket, "bob", 2));
    apply(new Command.Extend(extended.token(), 3_600));

    // when
    var due =
        get(ledger().due(Placement.DIRECT, DuePlace.FIRST, order.payBeforeMs() + 60_000, 10_000));
    Order canceled = apply(new Command.Cancel(order.token(), Reason.TIMEOUT));

    // then
    assertThat(due.tokens()).contains(order.token()).doesNotContain(extended.token());
    assertThat(canceled.status()).isEqualTo(CANCELED);
    assertThat(canceled.reason()).isEqualTo(Reason.TIMEOUT);
  }

  @Test
  void shouldTakeBackWhatIsFreeAtOnce() {
    // given
    BucketId bucket = direct(10, 2, SETTINGS);
    booked(wish(bucket, "ann", 4));

    // when
    RestockResult taken = restock(bucket.skuId(), "less", -5);
    RestockResult again = restock(bucket.skuId(), "less", -5);
    RestockResult tooMany = restock(bucket.skuId(), "none", -2);
    RestockResult tooManyAgain = restock(bucket.skuId(), "none", -2);

    // then
    assertThat(taken).isInstanceOf(RestockResult.Done.class);
    assertThat(((RestockResult.Done) taken).sku().totalStock()).isEqualTo(5);
    assertThat(again).isInstanceOf(RestockResult.Done.class);
    assertThat(tooMany).isEqualTo(new RestockResult.Refused(1));
    assertThat(tooManyAgain).isEqualTo(new RestockResult.Refused(1));
  }
}
