package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.OutboxPayload.Take;
import io.sluice.model.BucketId;
import io.sluice.model.Limits;
import io.sluice.model.Sku;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a ledger handles restocks, up and down. */
abstract class LedgerRestockContract extends LedgerScene {

  @Test
  void shouldSpreadUnitsWhenTheyAreAdded() {
    // given
    Sku sku = sku(9, 3);

    // when
    RestockResult result = restock(sku.skuId(), "r1", 5);

    // then
    assertThat(totalOf(result)).isEqualTo(14);
    assertThat(allotments(sku)).containsExactly(5L, 5L, 4L);
    assertThat(get(skus().bucketsOf(sku.skuId())))
        .allSatisfy(row -> assertThat(row.version()).isEqualTo(2));
    assertThat(takeIntents(sku)).isEmpty();
  }

  @Test
  void shouldAddOnceWhenRepeated() {
    // given
    Sku sku = sku(9, 3);
    restock(sku.skuId(), "r1", 5);

    // when
    RestockResult again = restock(sku.skuId(), "r1", 5);
    RestockResult other = restock(sku.skuId(), "r1", 6);

    // then
    assertThat(totalOf(again)).isEqualTo(14);
    assertThat(other).isEqualTo(new RestockResult.Mismatch(5));
    assertThat(totalOf(restock(sku.skuId(), "R1", 5))).isEqualTo(19);
  }

  @Test
  void shouldRefuseWhenTheTotalWouldPassItsMaximum() {
    // given
    Sku sku = sku(9, 1);

    // when
    RestockResult result = restock(sku.skuId(), "r1", Limits.TOTAL_STOCK_MAX);

    // then
    assertThat(result).isEqualTo(new RestockResult.TooMuch(9));
    assertThat(restock(newSkuId(), "r1", 1)).isEqualTo(new RestockResult.Unknown());
  }

  @Test
  void shouldTakeBackWhenRedisGaveUpTheUnits() {
    // given
    Sku sku = sku(10, 2);
    assertThat(restock(sku.skuId(), "r1", -4)).isEqualTo(new RestockResult.Working());
    List<OutboxRow> intents = takeIntents(sku);

    // when
    intents.forEach(intent -> assertThat(finish(intent, 1)).isEqualTo(TakeResult.DONE));

    // then
    assertThat(takes(intents))
        .containsExactlyInAnyOrder(
            new Take(new BucketId(sku.skuId(), 0), "r1", 1, 2),
            new Take(new BucketId(sku.skuId(), 1), "r1", 1, 2));
    assertThat(takeIntents(sku)).isEmpty();
    assertThat(allotments(sku)).containsExactly(3L, 3L);
    assertThat(totalOf(restock(sku.skuId(), "r1", -4))).isEqualTo(6);
  }

  @Test
  void shouldTakeOnceWhenTheIntentIsRepeated() {
    // given
    Sku sku = sku(10, 1);
    restock(sku.skuId(), "r1", -4);
    OutboxRow intent = takeIntents(sku).get(0);
    finish(intent, 1);

    // when
    TakeResult again = finish(intent, 1);

    // then
    assertThat(again).isEqualTo(TakeResult.DONE);
    assertThat(refuse(intent)).isEqualTo(TakeResult.DONE);
    assertThat(allotments(sku)).containsExactly(6L);
  }

  @Test
  void shouldAskAgainWhenTheBucketWasRebuiltMeanwhile() {
    // given
    Sku sku = sku(10, 1);
    BucketId bucket = new BucketId(sku.skuId(), 0);
    restock(sku.skuId(), "r1", -4);
    OutboxRow intent = takeIntents(sku).get(0);
    get(ledger().raiseEpoch(own(bucket), bucket, 0));

    // when
    TakeResult old = finish(intent, 1);

    // then
    assertThat(old).isEqualTo(TakeResult.BUCKET_CHANGED);
    assertThat(allotments(sku)).containsExactly(10L);
    assertThat(takeIntents(sku)).containsExactly(intent);
    assertThat(finish(intent, 2)).isEqualTo(TakeResult.DONE);
    assertThat(allotments(sku)).containsExactly(6L);
  }

  /** Its new total was written to Redis while the commit was unknown, which undid the take. */
  @Test
  void shouldAskAgainWhenTheTotalWasSetMeanwhile() {
    // given
    Sku sku = sku(10, 1);
    BucketId bucket = new BucketId(sku.skuId(), 0);
    restock(sku.skuId(), "r1", -4);
    OutboxRow intent = takeIntents(sku).get(0);
    long version = row(bucket).version();
    restock(sku.skuId(), "r2", 3);

    // when
    TakeResult finished = get(ledger().finishTake(own(bucket), intent, 1, version));
    TakeResult refused = get(ledger().refuseTake(own(bucket), intent, 1, version));

    // then
    assertThat(List.of(finished, refused)).containsOnly(TakeResult.BUCKET_CHANGED);
    assertThat(takeIntents(sku)).containsExactly(intent);
    assertThat(finish(intent, 1)).isEqualTo(TakeResult.DONE);
    assertThat(allotments(sku)).containsExactly(9L);
  }

  @Test
  void shouldWriteNothingWhenTheFenceIsLost() {
    // given
    Sku sku = sku(10, 1);
    BucketId bucket = new BucketId(sku.skuId(), 0);
    restock(sku.skuId(), "r1", -4);
    OutboxRow intent = takeIntents(sku).get(0);
    Fence old = own(bucket);
    own(bucket);

    // when
    List<TakeResult> results =
        List.of(
            get(ledger().finishTake(old, intent, 1, row(bucket).version())),
            get(ledger().refuseTake(old, intent, 1, row(bucket).version())));

    // then
    assertThat(results).containsOnly(TakeResult.FENCE_LOST);
    assertThat(takeIntents(sku)).containsExactly(intent);
    assertThat(allotments(sku)).containsExactly(10L);
  }

  @Test
  void shouldSeekTheUnitsElsewhereWhenABucketRefuses() {
    // given
    Sku sku = sku(20, 2);
    restock(sku.skuId(), "r1", -8);
    List<OutboxRow> first = takeIntents(sku);
    refuse(first.get(0));
    BucketId refusing = OutboxPayload.takeOf(first.get(0).payload()).bucket();

    // when
    finish(first.get(1), 1);

    // then
    BucketId other = new BucketId(sku.skuId(), 1 - refusing.bucket());
    assertThat(takes(takeIntents(sku))).containsExactly(new Take(other, "r1", 2, 4));
    takeIntents(sku).forEach(intent -> finish(intent, 1));
    assertThat(totalOf(restock(sku.skuId(), "r1", -8))).isEqualTo(12);
    assertThat(row(refusing).allotted()).isEqualTo(10);
  }

  @Test
  void shouldGiveAllBackWhenTogetherTheyHaveTooFew() {
    // given
    Sku sku = sku(10, 2);
    restock(sku.skuId(), "r1", -10);
    List<OutboxRow> intents = takeIntents(sku);
    finish(intents.get(0), 1);

    // when
    refuse(intents.get(1));

    // then
    assertThat(restock(sku.skuId(), "r1", -10)).isEqualTo(new RestockResult.Refused(9));
    assertThat(allotments(sku)).containsExactly(5L, 5L);
    assertThat(known(sku.skuId()).totalStock()).isEqualTo(10);
    assertThat(takeIntents(sku)).isEmpty();
  }

  @Test
  void shouldRefuseAtOnceWhenTheLedgerHasTooFew() {
    // given
    BucketId bucket = sku(10);
    apply(bucket, reserve(grant(bucket, 1, 4)));

    // when
    RestockResult result = restock(bucket.skuId(), "r1", -7);

    // then
    assertThat(result).isEqualTo(new RestockResult.Refused(6));
    assertThat(restock(bucket.skuId(), "r1", -7)).isEqualTo(result);
    assertThat(row(bucket).allotted()).isEqualTo(10);
    assertThat(restock(bucket.skuId(), "r2", -6)).isEqualTo(new RestockResult.Working());
  }

  @Test
  void shouldNeverTakeWhatIsHeldWhenRedisGaveUpTooMuch() {
    // given
    BucketId bucket = sku(10);
    Sku sku = known(bucket.skuId());
    restock(bucket.skuId(), "r1", -7);
    OutboxRow intent = takeIntents(sku).get(0);
    apply(bucket, reserve(grant(bucket, 1, 4)));
    long version = row(bucket).version();

    // when
    finish(intent, 1);

    // then
    assertThat(row(bucket).allotted()).isEqualTo(10);
    assertThat(row(bucket).version()).as("tells Redis its ceiling").isGreaterThan(version);
    assertThat(restock(bucket.skuId(), "r1", -7)).isEqualTo(new RestockResult.Refused(6));
  }

  private static long totalOf(RestockResult result) {
    assertThat(result).isInstanceOf(RestockResult.Done.class);
    return ((RestockResult.Done) result).sku().totalStock();
  }

  private static List<Take> takes(List<OutboxRow> intents) {
    return intents.stream().map(intent -> OutboxPayload.takeOf(intent.payload())).toList();
  }
}
