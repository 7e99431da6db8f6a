package io.sluice.contract;

import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.REFUNDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.OutboxPayload.Release;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.IfMatch;
import io.sluice.model.Order;
import io.sluice.model.Placement;
import io.sluice.model.Reason;
import io.sluice.model.SkuState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Orders of several SKUs whose sale has ended, and whose SKUs may have gone on to others. */
abstract class LeftCartContract extends CartLedgerScene {
  private static final int STEPS_MAX = 1_000;

  private void endSale(List<BucketId> buckets) {
    done(changeSale(saleId, StateChange.END));
    takeOverAll();
    buckets.forEach(bucket -> get(ledger().raiseEpoch(owner(bucket), bucket, 0)));
    takeOverAll();
    assertThat(get(sales().sale(saleId)).orElseThrow().sale().state()).isEqualTo(SkuState.ENDED);
  }

  /** Puts these SKUs into a sale with carts that is in another partition. */
  private void goOn(BucketId... buckets) {
    int here = row(buckets[0]).partition();
    String next = saleId;
    do {
      next += "+";
    } while (Placement.together(next, 1, partitions()).partitionOf(0) == here);
    List<SaleSku> skus =
        List.of(buckets).stream().map(id -> SaleSkus.of(id.skuId(), 5, 1, 2, MARKS)).toList();
    put(new NewSale(next, "next", true, OPEN, skus));
    for (BucketId bucket : buckets) {
      assertThat(row(bucket).partition()).isNotEqualTo(here);
      get(ledger().raiseEpoch(owner(bucket), bucket, 0));
    }
  }

  @Test
  void shouldTakeOutOfStockWhatComesBackOfALineThatHasGoneOn() {
    // given
    List<BucketId> buckets = carts(10, 10);
    BucketId gone = buckets.get(1);
    Grant lead = soldCart(1, buckets, 2, 3);
    endSale(buckets);
    goOn(gone);

    // when
    tell(restarted(), buckets.get(0), new Command.Refund(lead.token()));
    tell(restarted(), buckets.get(0), new Command.Refund(lead.token()));

    // then
    assertThat(statuses(lead)).containsOnly(REFUNDED);
    assertThat(sold(buckets)).containsExactly(0L, 0L);
    assertThat(row(gone).base()).isZero();
    assertThat(row(gone).free()).isEqualTo(5);
    assertThat(released(buckets.get(0)))
        .containsExactly(new Release(lead.token(), lead.epoch(), lead.seq()));
    assertThat(released(gone)).isEmpty();
    assertThat(toldOf(buckets.get(0), "STOCK_RETURNED")).hasSize(1);
  }

  @Test
  void shouldReleaseALineWhereItIsWhenItsLeadHasGoneOn() {
    // given
    List<BucketId> buckets = carts(10, 10);
    BucketId gone = buckets.get(0);
    BucketId stays = buckets.get(1);
    Grant lead = soldCart(1, buckets, 2, 3);
    endSale(buckets);
    goOn(gone);
    Grant line = lead.lines().get(1);

    // when
    tell(restarted(), gone, new Command.Refund(lead.token()));

    // then
    assertThat(statuses(lead)).containsOnly(REFUNDED);
    assertThat(row(gone).base()).isZero();
    assertThat(released(gone)).isEmpty();
    assertThat(released(stays))
        .containsExactly(new Release(line.token(), line.epoch(), line.seq()));
  }

  /** Releases of one batch share rows, but not those of two partitions. */
  @Test
  void shouldReleaseEachLineWhereItIsWhenOthersAreReleasedInTheSameBatch() {
    // given
    List<BucketId> buckets = carts(10, 10, 10);
    BucketId gone = buckets.get(0);
    BucketId stays = buckets.get(1);
    Grant old = soldCart(1, buckets.subList(0, 2), 2, 3);
    endSale(buckets);
    goOn(gone, buckets.get(2));
    Grant now = soldCart(2, List.of(gone, buckets.get(2)), 1, 1);
    Grant line = old.lines().get(1);

    // when
    tell(gone, new Command.Refund(now.token()), new Command.Refund(old.token()));

    // then
    assertThat(released(stays))
        .containsExactly(new Release(line.token(), line.epoch(), line.seq()));
    assertThat(released(gone)).extracting(Release::token).isEqualTo(now.tokens());
  }

  @Test
  void shouldBeReadableInTheArchive() {
    // given
    List<BucketId> buckets = carts(10, 3);
    Grant sold = soldCart(1, buckets, 2, 3);
    Grant rejected = bookedCart(2, buckets, 1, 2);
    Grant ended = bookedCart(3, List.of(buckets.get(0), buckets.get(1)), 1, 1);
    tell(buckets.get(0), new Command.Cancel(ended.token(), Reason.BUYER));
    Order before = seen(sold.token());
    endSale(buckets);
    done(get(sales().archive(saleId, IfMatch.NOTHING)));
    takeOverAll();

    // when
    for (int step = 0; get(ledger().archiveNext(1)); step++) {
      assertThat(step).isLessThan(STEPS_MAX);
      assertThat(seen(sold.token()).notes()).isEqualTo(before.notes());
      assertThat(seen(sold.token()).cart()).isEqualTo(sold.cart());
    }

    // then
    assertThat(seen(sold.token())).isEqualTo(before.inArchive());
    assertThat(seen(rejected.token()).cart()).isEqualTo(rejected.cart());
    assertThat(seen(follower(ended, 1)).archived()).isTrue();
    assertThat(seen(follower(ended, 1)).cart()).isEqualTo(ended.cart());
  }

  @Test
  void shouldOnlyTellOfPaymentsWhenOneOfItsLinesIsInTheArchive() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant lead = soldCart(1, buckets, 2, 3);
    endSale(buckets);
    get(skus().archive(buckets.get(1).skuId()));
    for (int step = 0; get(ledger().archiveNext(1)); step++) {
      assertThat(step).isLessThan(STEPS_MAX);
    }

    // when
    tell(
        restarted(),
        buckets.get(0),
        new Command.Refund(lead.token()),
        new Command.Confirm(lead.token(), "p"),
        new Command.Confirm(lead.token(), "q"));

    // then
    Order whole = seen(lead.token());
    assertThat(whole.archived()).isTrue();
    assertThat(whole.status()).isEqualTo(CONFIRMED);
    assertThat(whole.notes().payments()).containsExactlyInAnyOrder("p", "q");
    assertThat(seen(follower(lead, 1)).archived()).isTrue();
  }
}
