package io.sluice.reservation.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.Skus;
import io.sluice.reservation.ManualLoop;
import io.sluice.reservation.Ports;
import io.sluice.stock.BucketCode;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockReads.EmptyBucket;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.TokenPage;
import io.vertx.core.Future;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The memory of all copies of an event loop has a limit. */
class CopiedTokensTest {
  private static final int FULL_COPIES = 8;
  private static final Contents CONTENTS = new Contents(1, 5, 0);

  /** Each a token and its buyer; the same in each bucket. */
  private final List<String> names =
      IntStream.range(0, CopySpace.FINGERPRINTS_MAX / FULL_COPIES)
          .mapToObj(i -> (i % 2 == 0 ? "token-" : "buyer-") + i)
          .toList();

  private final SoldOutLeases unit =
      new SoldOutLeases(
          partition -> Ports.partly(StockStore.class, this),
          new ManualLoop().loop(),
          new Meters(new SimpleMeterRegistry()));
  private int reads;

  Future<TokenPage> tokens(BucketId bucket, String from, int limit) {
    reads++;
    return Future.succeededFuture(
        new TokenPage(BucketCode.OK, CONTENTS, names.size() / 2, StockStore.FIRST_PAGE, names));
  }

  @Test
  void shouldCopyNoFurtherBucketWhenTheCopiesAreLarge() {
    // when
    sellOut(7, FULL_COPIES + 1);

    // then
    assertThat(reads).isEqualTo(FULL_COPIES);
  }

  @Test
  void shouldCopyAgainOnceThoseOfAnEarlierSkuAreEvicted() {
    // given
    sellOut(7, FULL_COPIES);
    for (int sku = 1; sku < SoldOutLeases.SKUS_MAX; sku++) {
      sellOut(7 + sku, 1);
    }
    int whileFull = reads;

    // when
    sellOut(7 + SoldOutLeases.SKUS_MAX, 1);

    // then
    assertThat(whileFull).isEqualTo(FULL_COPIES);
    assertThat(reads).isEqualTo(FULL_COPIES + 1);
  }

  private void sellOut(long skuId, int buckets) {
    Sku sku = Skus.open(skuId, 1_000, buckets, new SkuSettings(300, 0, 0, 0));
    EmptyBucket empty =
        new EmptyBucket(BucketCode.OK, 5, 0, 1, 45, CONTENTS, StockStore.SOLD_OUT_MAX_MS);
    var soldOut = new SoldOutCheck.Finding.SoldOut(Collections.nCopies(buckets, empty), 0);
    for (int bucket = 0; bucket < buckets; bucket++) {
      unit.note(sku, sku.placed(bucket), soldOut);
    }
  }
}
