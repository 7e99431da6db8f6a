package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Limits;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A SKU that has ended joins its next sale: the same one, with new stock. */
abstract class AgainContract extends AgainScene {
  /** A limit that the PUT of the next sale left out was lifted. */
  @Test
  void shouldKeepWhatThePutOfItsNextSaleLeavesOut() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 2);
    end(wanted.skuId());
    SaleSku next =
        SaleSkus.of(
            wanted.skuId(),
            7,
            1,
            0,
            Watermarks.DEFAULT,
            Sku.Mode.FAST,
            Set.of("buckets", "limit_per_user", "low_percent", "last_percent"));

    // when
    PutResult.Done done = again(next);

    // then
    assertThat(done.skus()).containsExactly(Map.entry(wanted.skuId(), Joined.JOINED));
    assertThat(known(wanted.skuId()).settings()).isEqualTo(OPEN.settings(2, MARKS));
    assertThat(known(wanted.skuId()).buckets()).isEqualTo(2);
  }

  @Test
  void shouldBringAnEndedSkuToItsStockWhenItJoinsTheNextSale() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 2);
    BucketId first = new BucketId(wanted.skuId(), 0);
    sold(first, 1, 1);
    sold(first, 2, 1);
    end(wanted.skuId());
    long loads = loads(wanted.skuId()).size();
    List<BucketRow> before = get(skus().bucketsOf(wanted.skuId()));

    // when
    PutResult.Done done = again(with(wanted, 7, 2));

    // then
    assertThat(done.skus()).containsExactly(Map.entry(wanted.skuId(), Joined.JOINED));
    Sku sku = known(wanted.skuId());
    assertThat(sku.membership()).isEqualTo(new Membership(2, saleId + "-next", false, 1, 2));
    assertThat(sku.state()).isEqualTo(SkuState.OPEN);
    assertThat(List.of(sku.stockNow(), sku.firstStock(), sku.totalStock()))
        .containsExactly(7L, 7L, 9L);
    List<BucketRow> rows = get(skus().bucketsOf(wanted.skuId()));
    assertThat(rows).extracting(BucketRow::total).containsExactly(4L, 3L);
    assertThat(rows).extracting(BucketRow::free).containsExactly(4L, 3L);
    assertThat(rows).extracting(BucketRow::taken).containsOnly(0L);
    assertThat(rows).extracting(BucketRow::base).containsExactly(2L, 0L);
    for (int bucket = 0; bucket < 2; bucket++) {
      assertThat(rows.get(bucket).sinceEpoch()).isEqualTo(before.get(bucket).epoch());
      assertThat(rows.get(bucket).epoch()).isGreaterThan(rows.get(bucket).sinceEpoch());
      assertThat(rows.get(bucket).version()).isGreaterThan(before.get(bucket).version());
    }
    assertThat(rows).extracting(BucketRow::state).containsOnly(SkuState.OPEN);
    assertThat(loads(wanted.skuId()).size()).isGreaterThanOrEqualTo((int) loads);
    assertThat(get(sales().totals(saleId + "-next")))
        .extracting(totals -> List.of(totals.allotted(), totals.held(), totals.sold()))
        .containsExactly(List.of(7L, 0L, 0L));
  }

  /** The shop numbers the restocks of each sale anew. */
  @ParameterizedTest
  @ValueSource(ints = {1, 45, Limits.RESTOCK_ID_MAX})
  void shouldRestockOnceInEachSaleUnderTheSameId(int length) {
    // given
    String id = "r".repeat(length);
    SaleSku wanted = putOne(OPEN, 10, 2);
    long skuId = wanted.skuId();
    restock(skuId, id, 5);
    end(skuId);
    RestockResult ended = restock(skuId, id, 5);
    again(with(wanted, 7, 2));

    // when
    RestockResult first = restock(skuId, id, 4);
    RestockResult repeated = restock(skuId, id, 4);
    RestockResult other = restock(skuId, id, 5);

    // then
    assertThat(ended).isInstanceOf(RestockResult.Done.class);
    assertThat(first).isEqualTo(new RestockResult.Done(known(skuId)));
    assertThat(repeated).isEqualTo(first);
    assertThat(other).isEqualTo(new RestockResult.Mismatch(4));
    assertThat(known(skuId).stockNow()).isEqualTo(11);
  }

  @Test
  void shouldTakeBackOnceInEachSaleUnderTheSameId() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 1);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    List<RestockResult> before = takenBack(bucket, "r1", 3);
    end(wanted.skuId());
    again(with(wanted, 7, 1));

    // when
    List<RestockResult> next = takenBack(bucket, "r1", 2);

    // then
    assertThat(before.get(1)).isInstanceOf(RestockResult.Done.class);
    assertThat(next)
        .containsExactly(
            new RestockResult.Working(), new RestockResult.Done(known(wanted.skuId())));
    assertThat(known(wanted.skuId()).stockNow()).isEqualTo(5);
  }

  /** Asks, lets the owner answer, and asks again. */
  private List<RestockResult> takenBack(BucketId bucket, String id, long units) {
    RestockResult asked = restock(bucket.skuId(), id, -units);
    outbox(row(bucket).partition(), OutboxKind.RESTOCK).stream()
        .filter(row -> row.eventType().equals(OutboxPayload.TAKE))
        .filter(row -> OutboxPayload.bucketOf(row.payload()).equals(bucket))
        .forEach(
            intent -> {
              Fence owner = get(ledger().takeOver(row(bucket).partition(), 0));
              long epoch = row(bucket).epoch();
              get(ledger().finishTake(owner, intent, epoch, row(bucket).version()));
            });
    return List.of(asked, restock(bucket.skuId(), id, -units));
  }

  @Test
  void shouldTellAPartitionWhatHasLeftItUntilItIsBackOrHasEndedThere() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 1);
    BucketId bucket = new BucketId(wanted.skuId(), 0);
    int home = row(bucket).partition();
    int other = (home + 1) % partitions();
    end(wanted.skuId());

    // when
    List<Boolean> ended = List.of(isGone(home, bucket), isGone(other, bucket));
    joinsIn(other, wanted);
    List<Boolean> left = List.of(isGone(home, bucket), isGone(other, bucket));
    end(wanted.skuId());
    List<Boolean> endedThere = List.of(isGone(home, bucket), isGone(other, bucket));
    joinsIn(home, wanted);
    List<Boolean> back = List.of(isGone(home, bucket), isGone(other, bucket));
    end(wanted.skuId());
    joinsIn(other, wanted);
    List<Boolean> leftAgain = List.of(isGone(home, bucket), isGone(other, bucket));

    // then
    assertThat(List.of(ended, left, endedThere, back, leftAgain))
        .containsExactly(
            List.of(true, false),
            List.of(true, false),
            List.of(true, true),
            List.of(false, true),
            List.of(true, false));
  }

  private void joinsIn(int partition, SaleSku sku) {
    String group =
        Stream.iterate(1, i -> i + 1)
            .map(i -> saleId + "-" + i)
            .filter(id -> Placement.together(id, 1, partitions()).partitionOf(0) == partition)
            .filter(id -> get(sales().sale(id)).isEmpty())
            .findFirst()
            .orElseThrow();
    put(new NewSale(group, "together", true, OPEN, List.of(sku)));
    assertThat(row(new BucketId(sku.skuId(), 0)).partition()).isEqualTo(partition);
  }

  /** Whether it is on the page behind the bucket before it, and not behind itself. */
  private boolean isGone(int partition, BucketId bucket) {
    BucketId before = new BucketId(bucket.skuId() - 1, 255);
    List<BucketId> page = get(ledger().goneBuckets(partition, Optional.of(before), 1));
    assertThat(get(ledger().goneBuckets(partition, Optional.of(bucket), ALL)))
        .doesNotContain(bucket)
        .isSorted();
    return page.contains(bucket);
  }

  @Test
  void shouldChangeNothingWhenTheNextSaleIsPutAgain() {
    // given
    SaleSku wanted = putOne(OPEN, 10, 1);
    end(wanted.skuId());
    again(wanted);
    BucketRow before = row(new BucketId(wanted.skuId(), 0));

    // when
    PutResult.Done done = again(wanted);

    // then
    assertThat(done.skus()).containsExactly(Map.entry(wanted.skuId(), Joined.KEPT));
    assertThat(row(before.id())).isEqualTo(before);
    assertThat(known(wanted.skuId()).saleNo()).isEqualTo(2);
  }

  @Test
  void shouldKeepBucketsAndStayOutWhileItHasNotEnded() {
    // given
    SaleSku ended = wanted(10, 2);
    SaleSku ending = wanted(10, 1);
    put(OPEN, ended, ending);
    end(ended.skuId());
    change(ending.skuId(), StateChange.END);

    // when
    PutResult result =
        get(
            sales()
                .put(
                    new NewSale(
                        saleId + "-next",
                        "next week",
                        false,
                        OPEN,
                        List.of(with(ended, 10, 3), ending))));

    // then
    assertThat(result)
        .isEqualTo(
            new PutResult.Refused(
                List.of(
                    new SkuFault.Fixed(ended.skuId(), "buckets", "2", "3"),
                    new SkuFault.InUse(ending.skuId(), saleId))));
    assertThat(known(ended.skuId()).state()).isEqualTo(SkuState.ENDED);
  }

  /** The mode of a SKU that joins its next sale was not looked at. */
  @Test
  void shouldKeepItsModeWhenItJoinsItsNextSale() {
    // given
    SaleSku ended = putOne(OPEN, 10, 2);
    end(ended.skuId());
    SaleSku direct = SaleSkus.of(ended.skuId(), 7, 2, 2, MARKS, Sku.Mode.DIRECT);

    // when
    PutResult result =
        get(sales().put(new NewSale(saleId + "-next", "next week", false, OPEN, List.of(direct))));

    // then
    assertThat(result)
        .isEqualTo(
            new PutResult.Refused(
                List.of(new SkuFault.Fixed(ended.skuId(), "mode", "fast", "direct"))));
    assertThat(known(ended.skuId()).saleNo()).isEqualTo(1);
  }

  @Test
  void shouldRestockUpToTheLimitOfTheCurrentSale() {
    // given
    SaleSku wanted = putOne(OPEN, 5, 1);
    sold(new BucketId(wanted.skuId(), 0), 1, 1);
    end(wanted.skuId());
    again(wanted);

    // when
    RestockResult tooMuch = restock(wanted.skuId(), "r1", 1_000_000_000L);
    RestockResult done = restock(wanted.skuId(), "r2", 999_999_995L);

    // then
    assertThat(tooMuch).isEqualTo(new RestockResult.TooMuch(5));
    assertThat(done).isInstanceOf(RestockResult.Done.class);
    assertThat(known(wanted.skuId()).stockNow()).isEqualTo(1_000_000_000L);
  }
}
