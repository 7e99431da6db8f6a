package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.testkit.Placements;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Watermarks are crossed by the owner of a SKU's first bucket, over all buckets, once each way. */
abstract class WatermarkContract extends LedgerScene {
  private static final String CROSSED = "WATERMARK_CROSSED";

  @Test
  void shouldCountAllBucketsOfASku() {
    // given
    Sku sku = sku(10, 4);
    BucketId last = new BucketId(sku.skuId(), 3);
    apply(last, reserve(grant(last, 1, 2)));

    // when
    MarkedStock stock = stock(sku.skuId()).orElseThrow();

    // then
    assertThat(stock)
        .isEqualTo(new MarkedStock(sku.skuId(), 10, 8, Watermarks.DEFAULT, 0, 0, null));
  }

  @Test
  void shouldLeaveOneEventWhenAMarkIsCrossed() {
    // given
    BucketId bucket = sku(10);
    apply(bucket, reserve(grant(bucket, 1, 8)));

    // when
    boolean first = cross(bucket);
    boolean again = cross(bucket);

    // then
    assertThat(first && again).isTrue();
    assertThat(crossings(bucket)).containsExactly("LOW DOWN 2 of 10 v1");
    assertThat(stock(bucket.skuId()).orElseThrow())
        .isEqualTo(new MarkedStock(bucket.skuId(), 10, 2, Watermarks.DEFAULT, 1, 1, null));
  }

  @Test
  void shouldCrossAgainTheOtherWay() {
    // given
    BucketId bucket = sku(10);
    Grant grant = grant(bucket, 1, 10);
    apply(bucket, reserve(grant));
    cross(bucket);

    // when
    cancel(bucket, grant.token());
    cross(bucket);

    // then
    assertThat(crossings(bucket))
        .containsExactly(
            "LOW DOWN 0 of 10 v1",
            "LAST DOWN 0 of 10 v2",
            "LAST UP 10 of 10 v3",
            "LOW UP 10 of 10 v4");
  }

  @Test
  void shouldCrossUpwardsWhenItIsRestocked() {
    // given
    BucketId bucket = sku(10);
    apply(bucket, reserve(grant(bucket, 1, 9)));
    cross(bucket);

    // when
    restock(bucket.skuId(), "more", 90);
    cross(bucket);

    // then
    assertThat(crossings(bucket)).containsExactly("LOW DOWN 1 of 10 v1", "LOW UP 91 of 100 v2");
  }

  @Test
  void shouldChangeNothingWhenTheFenceIsLost() {
    // given
    BucketId bucket = sku(10);
    apply(bucket, reserve(grant(bucket, 1, 10)));
    Fence lost = own(bucket);
    own(bucket);

    // when
    boolean mine = get(ledger().crossMarks(lost, bucket.skuId() - 1, 1));

    // then
    assertThat(mine).isFalse();
    assertThat(crossings(bucket)).isEmpty();
  }

  @Test
  void shouldListOnlySkusWhoseFirstBucketIsThere() {
    // given
    Sku sku = sku(10, 8);

    // when
    List<Integer> listing =
        IntStream.range(0, partitions())
            .filter(
                partition ->
                    get(ledger().markedStocks(partition, sku.skuId() - 1, 10)).stream()
                        .anyMatch(stock -> stock.skuId() == sku.skuId()))
            .boxed()
            .toList();

    // then
    assertThat(listing).containsExactly(partitionOf(sku.skuId()));
  }

  @Test
  void shouldListAPageInOrder() {
    // given
    long first = sku(10).skuId();
    int partition = partitionOf(first);
    long next = sku(10).skuId();
    while (partitionOf(next) != partition) {
      next = sku(10).skuId();
    }

    // when
    List<MarkedStock> page = get(ledger().markedStocks(partition, first - 1, 2));
    List<MarkedStock> after = get(ledger().markedStocks(partition, first, 1));

    // then
    assertThat(page).extracting(MarkedStock::skuId).containsExactly(first, next);
    assertThat(after).extracting(MarkedStock::skuId).containsExactly(next);
  }

  @Test
  void shouldCrossNothingMoreOnceItBeginsToEnd() {
    // given
    BucketId bucket = sku(10);
    Grant grant = grant(bucket, 1, 10);
    apply(bucket, reserve(grant));
    cross(bucket);

    // when
    change(bucket.skuId(), StateChange.END);
    cancel(bucket, grant.token());
    cross(bucket);

    // then
    assertThat(stock(bucket.skuId())).isEmpty();
    assertThat(crossings(bucket)).hasSize(2);
  }

  // ---- shorthand

  private int partitionOf(long skuId) {
    return Placements.partitionOf(new BucketId(skuId, 0), partitions());
  }

  private Optional<MarkedStock> stock(long skuId) {
    return get(ledger().markedStocks(partitionOf(skuId), skuId - 1, 1)).stream()
        .filter(stock -> stock.skuId() == skuId)
        .findFirst();
  }

  private boolean cross(BucketId bucket) {
    return get(ledger().crossMarks(own(bucket), bucket.skuId() - 1, 1));
  }

  private void cancel(BucketId bucket, OrderToken token) {
    apply(bucket, new Command.Cancel(token, Reason.BUYER));
  }

  private List<String> crossings(BucketId bucket) {
    return entries(bucket, OutboxKind.EVENT).stream()
        .filter(row -> row.eventType().equals(CROSSED))
        .map(OutboxRow::payload)
        .map(JsonObject::new)
        .filter(event -> event.getLong("sku_id") == bucket.skuId())
        .map(
            event ->
                "%s %s %d of %d v%d"
                    .formatted(
                        event.getString("mark"),
                        event.getString("way"),
                        event.getLong("available"),
                        event.getLong("total"),
                        event.getLong("version")))
        .toList();
  }
}
