package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Audit;
import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Audit.TxnSums;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The rows of a SKU compared with its counters: in one snapshot, and in slices. */
abstract class AuditContract extends LedgerScene {
  private static final int SLICES_MAX = 50;

  /** The number of rows that {@link #soldInPart()} writes. */
  private static final int ROWS = 21;

  @Test
  void shouldAuditOnlyWhatIsSmallEnough() {
    // given
    Sku sku = sku(10, 2);

    // when
    Optional<Audit> whole = get(ledger().audit(sku.skuId(), 2));

    // then
    assertThat(whole).isEqualTo(get(skus().audit(sku.skuId())));
    assertThat(whole.orElseThrow().agrees()).isTrue();
    assertThat(get(ledger().audit(sku.skuId(), 1))).isEmpty();
    assertThat(get(ledger().audit(newSkuId(), 2))).isEmpty();
  }

  @Test
  void shouldSumTheSameWhateverTheLengthOfASlice() {
    // given
    long skuId = soldInPart();
    Audit whole = audit(skuId);
    Mark mark = get(ledger().mark(skuId)).orElseThrow();

    // when
    List<Audit> sliced =
        List.of(
            mark.against(sum(mark, 1)), mark.against(sum(mark, 3)), mark.against(sum(mark, 100)));

    // then
    assertThat(whole).isEqualTo(new Audit(skuId, 2, 25, 3, 6, 25, 3, 6));
    assertThat(sliced).containsOnly(whole);
  }

  @Test
  void shouldLeaveOutWhatWasBookedBehindTheMark() {
    // given
    long skuId = soldInPart();
    Mark mark = get(ledger().mark(skuId)).orElseThrow();
    TxnSums first = get(ledger().sum(mark, TxnSums.NONE, 3));

    // when
    soldInPart(new BucketId(skuId, 0), 20);
    restock(skuId, "later", 7);
    TxnSums sums = goOn(mark, first, 3);

    // then
    assertThat(mark.against(sums).agrees()).as("%s %s", mark, sums).isTrue();
    assertThat(sums.total()).isEqualTo(25);
  }

  @Test
  void shouldReadNoMoreThanASlice() {
    // given
    long skuId = soldInPart();
    Mark mark = get(ledger().mark(skuId)).orElseThrow();

    // when
    int slices = 0;
    for (TxnSums sums = TxnSums.NONE; !sums.complete(); slices++) {
      assertThat(slices).isLessThan(SLICES_MAX);
      sums = get(ledger().sum(mark, sums, 2));
    }

    // then
    assertThat(slices).as("of two rows each").isGreaterThanOrEqualTo(ROWS / 2);
  }

  @Test
  void shouldMarkNothingWhenThereIsNoSuchSku() {
    assertThat(get(ledger().mark(newSkuId()))).isEmpty();
  }

  private TxnSums sum(Mark mark, int rows) {
    return goOn(mark, TxnSums.NONE, rows);
  }

  private TxnSums goOn(Mark mark, TxnSums before, int rows) {
    TxnSums sums = before;
    for (int slice = 0; !sums.complete(); slice++) {
      assertThat(slice).isLessThan(SLICES_MAX);
      sums = get(ledger().sum(mark, sums, rows));
    }
    return sums;
  }

  /** A SKU of 25 units in two buckets, with rows of every action. */
  private long soldInPart() {
    Sku sku = sku(20, 2);
    restock(sku.skuId(), "more", 5);
    soldInPart(new BucketId(sku.skuId(), 0), 1);
    soldInPart(new BucketId(sku.skuId(), 1), 2);
    apply(new BucketId(sku.skuId(), 1), reserve(grant(new BucketId(sku.skuId(), 1), 9)));
    return sku.skuId();
  }

  /** Seven units: one held, three sold, two canceled and one refunded. */
  private void soldInPart(BucketId bucket, int number) {
    Grant held = grant(bucket, number);
    Grant sold = grant(bucket, number + 100, 3);
    Grant canceled = grant(bucket, number + 200, 2);
    Grant refunded = grant(bucket, number + 300, 1);
    apply(bucket, reserve(held), reserve(sold), reserve(canceled), reserve(refunded));
    OrderToken back = refunded.token();
    apply(
        bucket,
        new Command.Confirm(sold.token()),
        new Command.Confirm(back),
        new Command.Cancel(canceled.token(), Reason.BUYER),
        new Command.Refund(back));
  }
}
