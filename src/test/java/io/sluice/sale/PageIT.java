package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.browser.BrowserTab;
import io.sluice.testkit.browser.Chromium;
import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The live page in a real browser, on a sale that runs. */
class PageIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Path PICTURES = Path.of("target", "page");
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String AXE =
      "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
  private static final int UNITS = 600;
  private static final int BUYERS = 4_000;

  private static Chromium browser;
  private static Sale sale;

  @BeforeAll
  static void sellSome() {
    assumeTrue(Chromium.program().isPresent(), Chromium.MISSING);
    browser = Chromium.start();
    sale = site.sale().withStock(UNITS).withBuckets(8).withLimit(1).open();
  }

  @AfterAll
  static void tearDown() {
    if (browser != null) {
      browser.close();
    }
  }

  private static BrowserTab open(int width, int height) {
    BrowserTab tab = browser.tab(width, height);
    tab.show(site.instance(0).adminUrl() + "/");
    await().atMost(LIMIT).until(() -> !tab.textOf("#word").isEmpty());
    await().atMost(LIMIT).until(() -> tab.textOf("#link").equals("live"));
    return tab;
  }

  private static void show(BrowserTab tab, String address) {
    tab.value("void (location.hash = " + BrowserTab.quoted(address) + ")");
  }

  private static void stampede() {
    List<Buyer> buyers = Buyer.crowd(BUYERS);
    List<Supplier<Future<Answer>>> visits =
        IntStream.range(0, BUYERS)
            .<Supplier<Future<Answer>>>mapToObj(i -> () -> sale.ordering(buyers.get(i), "", 1))
            .toList();
    List<Answer> answers = site.crowd(32).send(visits);
    Crowd.await(
        Future.all(
                answers.stream()
                    .filter(Answer::isYes)
                    .limit(UNITS / 2)
                    .map(answer -> sale.paying(answer.token()))
                    .toList())
            .map(all -> all.list()));
  }

  @Test
  void shouldShow() {
    try (BrowserTab tab = open(1280, 800)) {
      stampede();
      await().during(Duration.ofSeconds(3)).until(() -> true);
      tab.picture(PICTURES.resolve("page.png"));
      tab.resize(390, 844);
      await().during(Duration.ofSeconds(1)).until(() -> true);
      tab.picture(PICTURES.resolve("phone.png"));
      tab.resize(1280, 800);
      show(tab, "#/sku/" + sale.skuId());
      await().during(Duration.ofSeconds(2)).until(() -> true);
      tab.picture(PICTURES.resolve("sku.png"));
      System.out.println(tab.complaints());
    }
  }
}
