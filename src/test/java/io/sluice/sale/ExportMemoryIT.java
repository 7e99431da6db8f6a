package io.sluice.sale;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.testkit.mysql.LedgerFill;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.LiveHeap;
import io.sluice.testkit.site.SaleSite;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An export of many orders takes the memory of one page, however slowly it is read; {@code
 * -Dexport.orders=1000000} makes it a million.
 */
@Tag("alone")
class ExportMemoryIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .withServersOfItsOwn(ServerOptions.none())
          // The orders are only in the ledger, and their buckets not in Redis.
          .withFaults()
          .withTamperedBooks();

  private static final int ORDERS = Integer.getInteger("export.orders", 100_000);
  private static final long GROWTH_MAX = 32L << 20;
  private static final int PAUSES = 4;

  /** Orders of an ended SKU, of which Redis holds nothing. */
  private static void fill(long skuId) {
    LedgerFill fill =
        new LedgerFill(sql -> site.ledger().query(sql, row -> row), site.partitions());
    fill.sku(skuId, 1, ORDERS, "FAST");
    fill.pending(new BucketId(skuId, 0), ORDERS);
    site.ledger()
        .query("UPDATE inventory_bucket SET ended = 1 WHERE sku_id = ?", row -> row, skuId);
    site.ledger().query("UPDATE inventory SET state = 'ENDED' WHERE sku_id = ?", row -> row, skuId);
  }

  private static BufferedReader exported(long skuId) throws IOException, InterruptedException {
    String url = site.instance(0).adminUrl() + "/admin/orders?format=ndjson&sku_id=" + skuId;
    HttpResponse<InputStream> export =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url))
                    .version(HttpClient.Version.HTTP_1_1)
                    .build(),
                BodyHandlers.ofInputStream());
    assertThat(export.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(export.body(), UTF_8));
  }

  @Test
  void shouldTakeTheMemoryOfAPageWhenManyOrdersAreExported() throws Exception {
    // given
    long skuId = site.newSkuId();
    fill(skuId);
    try (BufferedReader leavesEarly = exported(skuId)) {
      assertThat(leavesEarly.readLine()).contains("order_token");
    }
    long before = LiveHeap.bytesOf(site.instance(0));

    // when
    long most = 0;
    int lines = 0;
    try (BufferedReader export = exported(skuId)) {
      while (export.readLine() != null) {
        lines++;
        if (lines % (ORDERS / PAUSES) == 0) {
          most = Math.max(most, LiveHeap.bytesOf(site.instance(0)));
        }
      }
    }

    // then
    System.out.printf("%,d orders exported: heap grown by %,d bytes%n", lines, most - before);
    assertThat(lines).isEqualTo(ORDERS);
    assertThat(most - before).isLessThan(GROWTH_MAX);
  }
}
