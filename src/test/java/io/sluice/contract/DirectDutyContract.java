package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.Reading;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.Placement;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is done in the background for SKUs that sell in the ledger alone. */
abstract class DirectDutyContract extends DirectScene {
  @Test
  void shouldCrossWatermarksOnce() {
    // given
    BucketId bucket = direct(10);
    booked(wish(bucket, "ann", 9));

    // when
    get(direct().crossMarks(bucket.skuId() - 1, 1));
    get(direct().crossMarks(bucket.skuId() - 1, 1));

    // then
    assertThat(eventTypes(bucket).stream().filter("WATERMARK_CROSSED"::equals)).hasSize(1);
  }

  @Test
  void shouldEndOnceNothingIsHeldAndBeginAgainInTheNextSale() {
    // given
    BucketId bucket = direct(10, 1, limited(2));
    Order order = booked(wish(bucket, "ann", 2));
    change(bucket.skuId(), StateChange.END);
    endAll(bucket);
    SkuState whileHeld = known(bucket.skuId()).state();
    apply(new Command.Confirm(order.token()));

    // when
    endAll(bucket);
    SkuState ended = known(bucket.skuId()).state();
    get(
        sales()
            .put(
                new NewSale(
                    "again-" + bucket.skuId(),
                    "again",
                    true,
                    new SaleTerms(0, 0, 300, false),
                    List.of(SaleSkus.of(bucket.skuId(), 5, 1, 2, Watermarks.DEFAULT)))));
    Wish next = new Wish(TOKENS.tokenFor("ann", bucket, "", 1), "ann", 2, null);
    List<Outcome> outcomes = placeIn(1, next);
    apply(new Command.Refund(order.token()));

    // then
    assertThat(whileHeld).isEqualTo(SkuState.ENDING);
    assertThat(ended).isEqualTo(SkuState.ENDED);
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Booked.class);
    Order again = ((Outcome.Booked) outcomes.get(0)).order();
    assertThat(again.seq()).isEqualTo(2);
    assertThat(again.epoch()).isGreaterThan(order.epoch());
    assertThat(row(bucket).partition()).isEqualTo(Placement.DIRECT);
    assertThat(row(bucket).total()).isEqualTo(5);
    assertThat(eventTypes(bucket)).contains("STOCK_RETURNED");
  }

  private void endAll(BucketId bucket) {
    for (int turn = 0; turn < 10 && get(direct().endBucket(bucket, 1)); turn++) {
      // Until nothing is left to do.
    }
  }

  @Test
  void shouldBeCreatedInASaleWhenTheSaleSaysSo() {
    // given
    long skuId = newSkuId();
    SaleSku wanted = SaleSkus.of(skuId, 5, 2, 0, Watermarks.DEFAULT, Sku.Mode.DIRECT);

    // when
    get(
        sales()
            .put(
                new NewSale(
                    "direct-" + skuId,
                    "direct",
                    false,
                    new SaleTerms(0, 0, 300, false),
                    List.of(wanted))));

    // then
    Sku sku = known(skuId);
    assertThat(sku.mode()).isEqualTo(Sku.Mode.DIRECT);
    assertThat(sku.placement()).isEqualTo(Placement.direct(2));
    assertThat(sku.saleNo()).isEqualTo(1);
  }

  @Test
  void shouldKeepAReadingOnlyWhenNoOtherCameBetween() {
    // given
    long since = get(ledger().reading(Placement.DIRECT)).map(Reading::readAtMs).orElse(0L);

    // when
    boolean first = get(direct().keepReading(since, new Reading(since + 10, 0, 0), false));
    boolean late = get(direct().keepReading(since, new Reading(since + 20, 5, 9), true));

    // then
    assertThat(first).isTrue();
    assertThat(late).isFalse();
    assertThat(get(ledger().reading(Placement.DIRECT)).orElseThrow().readAtMs())
        .isEqualTo(since + 10);
  }

  @Test
  void shouldNotNumberEventsWhereThereIsAnOrderLog() {
    // given
    BucketId bucket = direct(5);
    booked(wish(bucket, "ann", 1));
    own(bucket(0));

    // when
    boolean more = get(direct().numberEvents(100));

    // then
    assertThat(more).isFalse();
    assertThat(eventTypes(bucket)).containsExactly("ORDER_BOOKED");
  }

  private BucketId bucket(int number) {
    return new BucketId(sku(1, number + 1).skuId(), number);
  }
}
