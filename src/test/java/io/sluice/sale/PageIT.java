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
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The live page in a real browser, on a sale that runs. It leaves pictures in {@code target/page}.
 */
class PageIT {
  @RegisterExtension
  static final SaleSite site = SaleSite.withInstances(2).setting("SLUICE_ADMISSION_BAN_S", 600);

  private static final Path PICTURES = Path.of("target", "page");
  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
  private static final int UNITS = 900;
  private static final int BUYERS = 4_000;
  private static final int TAB = 9;
  private static final int ENTER = 13;

  /** What a phone shows without scrolling. */
  private static final List<String> ESSENTIALS =
      List.of(
          "#word",
          "#reasons",
          "#stock-left",
          "#strip",
          "#grants",
          "#refused",
          "#p50",
          "#p99",
          "#stages",
          "#bars",
          "#drift",
          "#alarms",
          "#instances");

  private static Chromium browser;
  private static Sale sale;

  @BeforeAll
  static void startBrowser() {
    assumeTrue(Chromium.program().isPresent(), Chromium.MISSING);
    browser = Chromium.start();
    sale = site.sale().withStock(UNITS).withBuckets(8).withLimit(1).open();
  }

  @AfterAll
  static void endBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  private static BrowserTab open(int width, int height) {
    return open(site.instance(0).adminUrl(), width, height);
  }

  private static BrowserTab open(String address, int width, int height) {
    BrowserTab tab = browser.tab(width, height);
    tab.show(address + "/");
    awaitText(tab, "#link", "live");
    await().atMost(LIMIT).until(() -> tab.textOf("#word").length() > 1);
    return tab;
  }

  private static void awaitText(BrowserTab tab, String selector, String part) {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(tab.textOf(selector)).as(selector).contains(part));
  }

  private static void show(BrowserTab tab, String address, String part) {
    tab.value("void (location.hash = " + BrowserTab.quoted(address) + ")");
    awaitText(tab, "#detail", part);
  }

  /** Looks for what keeps people from using what the tab shows. */
  private static List<String> barriers(BrowserTab tab) {
    tab.value(axe());
    tab.value("void (globalThis.found = axe.run(document).then(r => r.violations.map(v =>"
        + " v.id + ': ' + v.nodes.map(n => n.target + ' ' + n.failureSummary).join(' | '))))");
    String found = tab.text("globalThis.found.then(all => JSON.stringify(all))");
    return new io.vertx.core.json.JsonArray(found).stream().map(String::valueOf).toList();
  }

  private static String axe() {
    try (InputStream file = PageIT.class.getResourceAsStream(AXE)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8) + "; 0";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int number(BrowserTab tab, String selector) {
    String digits = tab.textOf(selector).replaceAll("\\D", "");
    return digits.isEmpty() ? -1 : Integer.parseInt(digits);
  }

  private static void choose(BrowserTab tab, Sale shown) {
    String option = "#stock-sku option[value='%d']".formatted(shown.skuId());
    await().atMost(LIMIT).until(() -> Boolean.TRUE.equals(tab.value(exists(option))));
    tab.value(
        "(() => { const s = document.querySelector('#stock-sku'); s.value = '%d'; s.dispatchEvent(new Event('change')); })()"
            .formatted(shown.skuId()));
  }

  private static String exists(String selector) {
    return "document.querySelector(" + BrowserTab.quoted(selector) + ") !== null";
  }

  private static Future<List<Answer>> stampede(Sale of) {
    List<Supplier<Future<Answer>>> visits =
        Buyer.crowd(BUYERS).stream()
            .<Supplier<Future<Answer>>>map(
                buyer ->
                    () ->
                        of.ordering(buyer, "", 1)
                            .compose(
                                answer ->
                                    answer.isYes() && answer.token().hashCode() % 3 != 0
                                        ? of.paying(answer.token())
                                        : Future.succeededFuture(answer)))
            .toList();
    return site.crowd(32).start(visits);
  }

  @Test
  void shouldShowTheStampedeWhileItRuns() {
    // given
    Sale rushed = site.sale().withStock(UNITS).withBuckets(8).withLimit(1).open();
    try (BrowserTab tab = open(1280, 800)) {
      awaitText(tab, "#word", "SELLING");
      choose(tab, rushed);
      await().atMost(LIMIT).until(() -> number(tab, "#stock-left") == UNITS);

      // when
      Future<List<Answer>> answers = stampede(rushed);

      // then
      await().atMost(LIMIT).until(() -> number(tab, "#grants") > 0);
      await().atMost(LIMIT).until(() -> number(tab, "#stock-left") < UNITS / 2);
      tab.picture(PICTURES.resolve("page.png"));
      tab.resize(390, 844);
      tab.picture(PICTURES.resolve("phone.png"));
      Crowd.await(answers);
      awaitText(tab, "#reasons-legend", "sold-out");
      await().atMost(LIMIT).until(() -> number(tab, "#stock-left") == 0);
      awaitText(tab, "#p99", "ms");
      assertThat(tab.complaints()).isEmpty();
    }
  }

  @Test
  void shouldFitOnAPhoneWithoutScrolling() {
    // when
    try (BrowserTab tab = open(390, 844)) {
      awaitText(tab, "#instances", "this one");

      // then
      assertThat(tab.value("document.documentElement.scrollWidth")).isEqualTo(390);
      for (String essential : ESSENTIALS) {
        String script = "document.querySelector('%s').getBoundingClientRect().bottom <= 844";
        assertThat(tab.value(script.formatted(essential))).as(essential).isEqualTo(true);
      }
    }
  }

  @Test
  void shouldPutNoBarrierBeforeAnybody() {
    // given
    String order = sale.order(Buyer.named("axel")).token();
    List<String> addresses =
        Stream.of(
                "#/",
                "#/sku/" + sale.skuId(),
                order == null ? "#/buyer/axel" : "#/order/" + order,
                "#/partition/0",
                "#/buyer/axel")
            .toList();

    for (int width : List.of(1280, 390)) {
      try (BrowserTab tab = open(width, 844)) {
        for (String theme : List.of("light", "dark")) {
          for (String address : addresses) {
            // when
            tab.value("void (location.hash = " + BrowserTab.quoted(address) + ")");
            await().atMost(LIMIT).until(() -> !tab.textOf("#detail").contains("Reading"));

            // then
            assertThat(barriers(tab)).as("%s, %s, %d", address, theme, width).isEmpty();
            if (width == 390) {
              assertThat(tab.value("document.documentElement.scrollWidth"))
                  .as("width of " + address)
                  .isEqualTo(390);
            }
          }
          tab.picture(PICTURES.resolve("buyer-%s-%d.png".formatted(theme, width)));
          tab.click("#theme");
        }
        tab.value("void (location.hash = '#/')");
        tab.picture(PICTURES.resolve("other-theme-%d.png".formatted(width)));
        assertThat(tab.complaints()).isEmpty();
      }
    }
  }

  @Test
  void shouldShowTextWhereNamesAreMarkup() {
    // given
    Sale small = site.sale().withStock(5).open();
    String hostile = "<img/src=x/onerror=alert(1)>";
    Answer ordered =
        site.http()
            .ask(
                Call.post(site.instance(0).url() + "/v1/orders")
                    .as(Buyer.named("mallory"))
                    .json(
                        new JsonObject()
                            .put("sku_id", small.skuId())
                            .put("qty", 1)
                            .put("reference", hostile)));
    site.http()
        .ask(
            Call.put(site.instance(0).adminUrl() + "/admin/blacklist/mallory")
                .json(new JsonObject().put("ban_s", 600).put("reason", "<script>alert(2)</script>")));
    await()
        .atMost(LIMIT)
        .until(() -> small.story(ordered.token()).status() == 200);

    try (BrowserTab tab = open(1280, 800)) {
      // when
      show(tab, "#/order/" + ordered.token(), "GRANTED");

      // then
      awaitText(tab, "#detail", hostile);
      show(tab, "#/buyer/mallory", "<script>alert(2)</script>");
      show(tab, "#/buyer/%3Cb%3Eme%3C%2Fb%3E", "Buyer <b>me</b>");
      show(tab, "#/sku/" + hostile, "SKU " + hostile);
      assertThat(tab.value("document.querySelectorAll('main img, main script, main b b').length"))
          .isEqualTo(0);

      // when: a frame as no service of ours would send it
      tab.value("void (location.hash = '#/')");
      tab.value(HOSTILE_FRAME.replace("HOSTILE", hostile));

      // then
      assertThat(tab.textOf("#reasons")).contains(hostile);
      assertThat(tab.textOf("#instances")).contains("<img/src");
      assertThat(tab.textOf("#alarms")).contains(hostile);
      assertThat(tab.textOf("#changes")).contains(hostile);
      assertThat(tab.value("document.querySelectorAll('main img, main script').length"))
          .isEqualTo(0);
      assertThat(tab.complaints()).isEmpty();
    }
  }

  private static final String HOSTILE_FRAME =
      """
      (async () => {
        const bad = 'HOSTILE';
        const frame = {
          at: Date.now(), grants: 1, refusals: { [bad]: 1 }, placing: { count: 0, bounds_ms: [], counts: [] },
          status: { word: 'DEGRADED', reasons: [bad] }, bounds: [{ name: bad, value: 1, limit: 2, unit: bad, over: true }],
          drifted: 0, alarms: [{ word: bad, text: bad, times: 1, at: Date.now() }],
          changes: [{ at: Date.now(), operator: bad, method: bad, path: bad, status: 200 }],
          instance: bad, instances: [bad], partitions: [], events: {},
          skus: [{ sku_id: bad, state: bad, total: 1, available: 1, held: 0, sold: 0, unbooked: 0, from: bad, buckets: [] }],
        };
        const { drawStatus } = await import('/page/status.js');
        const { drawHealth, drawBars, drawChanges } = await import('/page/health.js');
        const { drawStock } = await import('/page/stock.js');
        [drawStatus, drawHealth, drawBars, drawChanges, drawStock].forEach((draw) => draw(frame));
      })()
      """;

  @Test
  void shouldSaySoAndComeBackWhenTheStreamBreaks() {
    // given
    try (FaultProxy proxy = FaultProxy.inFrontOf(site.instance(1).adminUrl());
        BrowserTab tab = open(proxy.uri(), 1280, 800)) {
      // when
      proxy.refuse();
      proxy.cut();

      // then
      awaitText(tab, "#link", "trying again");
      awaitText(tab, "#notice", "Trying again");
      assertThat(tab.textOf("#notice")).contains("What you see is of");
      tab.picture(PICTURES.resolve("lost.png"));

      // when
      proxy.heal();

      // then
      awaitText(tab, "#link", "live");
      await().atMost(LIMIT).until(() -> tab.textOf("#notice").isEmpty());

      // when: nothing is closed, and nothing arrives
      proxy.stall();

      // then
      awaitText(tab, "#notice", "No frame arrived for 4 s");
      proxy.heal();
      awaitText(tab, "#link", "live");
    }
  }

  @Test
  void shouldAskBeforeItChangesAnythingAndShowItsLineInTheLog() {
    // given
    Sale other = site.sale().withStock(20).withBuckets(2).open();
    try (BrowserTab tab = open(1280, 800)) {
      show(tab, "#/sku/" + other.skuId(), "Restock");

      // when: by keyboard alone
      tab.value("document.querySelector('[data-action=close]').focus()");
      tab.press("Enter", ENTER);
      awaitText(tab, "#ask", "New requests are answered");
      assertThat(tab.textOf("#ask")).contains("/admin/skus/" + other.skuId() + "/close");
      tab.picture(PICTURES.resolve("ask.png"));
      assertThat(barriers(tab)).isEmpty();
      assertThat(tab.textOf("#detail .tag")).isEqualTo("OPEN");
      tab.press("Tab", TAB);
      tab.press("Enter", ENTER);

      // then
      awaitText(tab, "#ask", "Done, and logged with status 200");
      tab.press("Enter", ENTER);
      await().atMost(LIMIT).until(() -> tab.textOf("#detail .tag").equals("CLOSED"));
      assertThat(site.instance(0).log())
          .contains("path=\"/admin/skus/" + other.skuId() + "/close\" status=\"200\"");
      tab.value("void (location.hash = '#/')");
      awaitText(tab, "#changes", "POST /admin/skus/" + other.skuId() + "/close");
    }
  }

  @Test
  void shouldTellWhyWhenACallIsRefused() {
    // given
    Sale other = site.sale().withStock(20).open();
    try (BrowserTab tab = open(1280, 800)) {
      show(tab, "#/sku/" + other.skuId(), "Restock");

      // when
      tab.click("[data-action=restock]");
      awaitText(tab, "#ask", "Adds units");
      tab.value("void (document.querySelector('#ask [name=qty]').value = '0')");
      tab.click("#ask [type=submit]");

      // then
      awaitText(tab, "#ask", "Expected a quantity that changes something");
    }
  }

  @Test
  void shouldTakeDifferencesAndPercentilesRightly() {
    // when
    try (BrowserTab tab = open(1280, 800)) {
      String found =
          tab.text(
              """
              (async () => {
                const { History, percentile } = await import('/page/rates.js');
                const history = new History();
                const frame = (at, grants, count) => ({ at, grants, refusals: { busy: grants / 2 }, instance: 'a',
                  placing: { count, bounds_ms: [10, 20], counts: [count / 2, count] } });
                [[0, 0, 0], [500, 100, 4], [1000, 300, 8]].forEach((one) => history.add(frame(...one)));
                const rates = history.rates();
                const after = new History();
                [[0, 900, 9], [500, 100, 4]].forEach((one) => after.add(frame(...one)));
                return JSON.stringify([rates.grants, rates.refusals.busy, history.latency(0.5, 5000).ms,
                  history.latency(0.99, 5000).ms, percentile({ count: 2, bounds: [5], counts: [0] }, 0.5).over,
                  percentile({ count: 0, bounds: [5], counts: [0] }, 0.5), after.frames().length]);
              })()
              """);

      // then
      assertThat(found).isEqualTo("[300,150,10,19.8,true,null,1]");
    }
  }
}
