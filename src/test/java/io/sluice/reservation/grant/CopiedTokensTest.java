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
      IntStream.range(0, SoldOutLeases.COPIED_MAX / FULL_COPIES)
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
    // given
    Sku sku = Skus.open(7, 1_000, FULL_COPIES + 1, new SkuSettings(300, 0, 0, 0));
    EmptyBucket empty =
        new EmptyBucket(BucketCode.OK, 5, 0, 1, 45, CONTENTS, StockStore.SOLD_OUT_MAX_MS);
    var soldOut = new SoldOutCheck.Finding.SoldOut(Collections.nCopies(FULL_COPIES + 1, empty), 0);

    // when
    for (int bucket = 0; bucket <= FULL_COPIES; bucket++) {
      unit.note(sku, sku.placed(bucket), soldOut);
    }

    // then
    assertThat(reads).isEqualTo(FULL_COPIES);
  }
}
