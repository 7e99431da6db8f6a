package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.browser.BrowserTab;
import io.sluice.testkit.browser.Chromium;
import io.sluice.testkit.browser.PageTabs;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The report of a sale on real servers, sold by two instances. */
class SaleReportIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Path PICTURES = Path.of("target", "page");
  private static final int UNITS = 6;
  private static final Duration WRITTEN_WITHIN = Duration.ofSeconds(40);

  private final String saleId = "report-" + site.newSkuId();

  @Test
  void shouldTellWhatHappenedInASaleOfTwoInstances() {
    // given
    List<Long> skus = List.of(site.newSkuId(), site.newSkuId());
    put(skus);
    List<String> tokens = new ArrayList<>();
    for (int buyer = 0; buyer < 2 * UNITS; buyer++) {
      Answer answer = site.known(skus.get(0)).order(Buyer.named("buyer-" + buyer), "k");
      if (answer.isYes()) {
        tokens.add(answer.json().getString("order_token"));
      }
    }
    tokens.subList(0, 3).forEach(token -> site.known(skus.get(0)).pay(token));
    site.known(skus.get(0)).refund(tokens.get(0));
    int refused = 2 * UNITS - UNITS;

    // when
    JsonObject report =
        await()
            .atMost(WRITTEN_WITHIN)
            .until(
                () -> get("").json(),
                json ->
                    json.getJsonObject("grant_ms").getLong("grants") == UNITS
                        && json.getJsonObject("refused").getLong("sold-out", 0L) == refused
                        && json.getJsonObject("orders").getLong("refunded") == 1);
    Answer page = get("?format=html");

    // then
    assertThat(tokens).hasSize(UNITS);
    assertThat(report.getJsonObject("orders").getLong("granted")).isEqualTo(UNITS);
    assertThat(report.getJsonObject("orders").getLong("paid")).isEqualTo(3);
    assertThat(report.getJsonObject("units"))
        .isEqualTo(new JsonObject().put("on_sale", 2 * UNITS).put("sold", 2).put("held", 3));
    assertThat(report.getJsonObject("audit").getBoolean("clean")).isTrue();
    assertThat(report.getJsonArray("gaps")).isEmpty();
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body()).contains("Sold 2 of 12 units").doesNotContain("buyer-");
  }

  @Test
  void shouldTellOfAllOrdersWhenAnInstanceWasKilled() {
    // given
    long sku = site.newSkuId();
    put(List.of(sku));
    Sale killed = site.known(sku);
    for (int buyer = 0; buyer < UNITS; buyer++) {
      String name = "buyer-" + buyer;
      await().atMost(WRITTEN_WITHIN).until(() -> killed.order(Buyer.named(name), "k").isYes());
    }

    // when
    site.instance(0).kill();

    // then
    JsonObject report =
        await()
            .atMost(WRITTEN_WITHIN)
            .until(
                () -> get("").json(),
                json -> json.getJsonObject("orders").getLong("granted") == UNITS);
    site.instance(0).start().awaitReady();
    assertThat(report.getJsonObject("grant_ms").getLong("grants")).isLessThanOrEqualTo(UNITS);
    assertThat(report.getJsonObject("units").getLong("held")).isEqualTo(UNITS);
    assertThat(report.getJsonObject("audit").getBoolean("clean")).isTrue();
  }

  @Test
  void shouldBeReadableByEverybodyOnAnyScreenAndOnPaper() {
    // given
    Chromium browser = Chromium.shared();
    long sku = site.newSkuId();
    put(List.of(sku));
    for (int buyer = 0; buyer < 2 * UNITS; buyer++) {
      Answer answer = site.known(sku).order(Buyer.named("buyer-" + buyer), "k");
      if (answer.isYes() && buyer % 2 == 0) {
        site.known(sku).pay(answer.token());
      }
    }
    await()
        .atMost(WRITTEN_WITHIN)
        .until(() -> get("").json().getJsonObject("refused").getLong("sold-out", 0L) == UNITS);

    for (int width : List.of(1280, 390)) {
      for (String theme : List.of("light", "dark")) {
        try (BrowserTab tab = browser.tab(width, width == 390 ? 3_200 : 2_000)) {
          tab.media("screen", theme);

          // when
          tab.show(reportUrl("?format=html"));

          // then
          PageTabs.awaitText(tab, "h1", "Singles' day <b>&");
          PageTabs.awaitText(tab, ".result", "Sold 3 of 6 units (50 %)");
          assertThat(tab.value("document.documentElement.scrollWidth")).isEqualTo(width);
          assertThat(PageTabs.barriers(tab)).as("%s, %d", theme, width).isEmpty();
          tab.picture(PICTURES.resolve("report-%s-%d.png".formatted(theme, width)));
          tab.media("print", theme);
          assertThat(tab.text("getComputedStyle(document.body).backgroundColor"))
              .as("paper")
              .isEqualTo("rgb(255, 255, 255)");
          tab.picture(PICTURES.resolve("report-print-%d.png".formatted(width)));
          assertThat(tab.complaints()).isEmpty();
        }
      }
    }
  }

  private void put(List<Long> skus) {
    JsonObject terms = new JsonObject().put("total_stock", UNITS).put("limit_per_user", 0);
    JsonObject body = SaleBodies.of("Singles' day <b>&", skus, terms).put("payment_window_s", 600);
    site.putSale(saleId, body);
  }

  private Answer get(String query) {
    return site.http().ask(Call.get(reportUrl(query)));
  }

  private String reportUrl(String query) {
    return site.instance(1).adminUrl() + "/admin/sales/" + saleId + "/report" + query;
  }
}
