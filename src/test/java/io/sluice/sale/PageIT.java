package io.sluice.sale;

import static io.sluice.testkit.browser.PageTabs.LIMIT;
import static io.sluice.testkit.browser.PageTabs.awaitText;
import static io.sluice.testkit.browser.PageTabs.barriers;
import static io.sluice.testkit.browser.PageTabs.number;
import static io.sluice.testkit.browser.PageTabs.show;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.browser.BrowserTab;
import io.sluice.testkit.browser.PageTabs;
import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess.Exit;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The live page in a real browser, on a running sale. It leaves pictures in target/page. */
class PageIT {
  @RegisterExtension
  static final SaleSite site = SaleSite.withInstances(2).setting("SLUICE_ADMISSION_BAN_S", 600);

  private static final Path PICTURES = Path.of("target", "page");
  private static final int UNITS = 900;
  private static final int BUYERS = 4_000;
  private static final int TAB = 9;
  private static final int ENTER = 13;

  /** What a phone shows without scrolling. */
  private static final String ESSENTIALS =
      "#word #reasons #stock-left #strip #grants #refused #p50 #p99 #stages #bars #drift #alarms"
          + " #instances";

  private static Sale sale;

  @BeforeAll
  static void openASale() {
    sale = site.sale().withStock(UNITS).withBuckets(8).withLimit(1).open();
  }

  private static BrowserTab open(int width, int height) {
    return PageTabs.open(site.instance(0).adminUrl(), width, height);
  }

  private static Answer orderNamed(Sale of, String reference) {
    Call call = Call.post(site.instance(0).url() + "/v1/orders").as(Buyer.named("mallory"));
    JsonObject body = new JsonObject().put("sku_id", of.skuId()).put("qty", 1);
    return site.http().ask(call.json(body.put("reference", reference)));
  }

  private static void ban(String buyer, String reason) {
    JsonObject body = new JsonObject().put("ban_s", 600).put("reason", reason);
    site.desk("PUT", "/admin/blacklist/" + buyer, body);
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
    return site.crowd(12).start(visits);
  }

  @Test
  @Moves("sluice_page_viewers")
  void shouldShowTheStampedeWhileItRuns() {
    // given
    Sale rushed = site.sale().withStock(UNITS).withBuckets(8).withLimit(1).open();
    try (BrowserTab tab = open(1280, 800)) {
      awaitText(tab, "#word", "SELLING");
      PageTabs.choose(tab, rushed.skuId());
      await().atMost(LIMIT).until(() -> number(tab, "#stock-left") == UNITS);

      // when
      Future<List<Answer>> answers = stampede(rushed);

      // then
      await().atMost(LIMIT).until(() -> number(tab, "#grants") > 0);
      awaitText(tab, "#p99", "ms");
      await().atMost(LIMIT).until(() -> number(tab, "#stock-left") < UNITS / 2);
      tab.picture(PICTURES.resolve("page.png"));
      tab.resize(390, 844);
      tab.picture(PICTURES.resolve("phone.png"));
      tab.click("#theme");
      tab.resize(1280, 800);
      tab.picture(PICTURES.resolve("dark.png"));
      Crowd.await(answers);
      awaitText(tab, "#reasons-legend", "sold-out");
      await().atMost(LIMIT).until(() -> number(tab, "#stock-left") == 0);
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
      for (String essential : ESSENTIALS.split(" ")) {
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
        assertThat(tab.complaints()).isEmpty();
      }
    }
  }

  @Test
  void shouldShowTextWhereNamesAreMarkup() {
    // given
    Sale small = site.sale().withStock(5).open();
    String hostile = "<img/src=x/onerror=alert(1)>";
    Answer ordered = orderNamed(small, hostile);
    ban("mallory", "<script>alert(2)</script>");
    await().atMost(LIMIT).until(() -> small.story(ordered.token()).status() == 200);

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
      String shown =
          tab.text(PageTabs.resource("/page-scripts/hostile-frame.js").replace("HOSTILE", hostile));

      // then
      assertThat(shown).isEqualTo("[true,true,true,true,true,true,0]");
      assertThat(tab.complaints()).isEmpty();
    }
  }

  @Test
  void shouldSaySoAndComeBackWhenTheStreamBreaks() {
    // given
    try (FaultProxy proxy = FaultProxy.inFrontOf(site.instance(1).adminUrl());
        BrowserTab tab = PageTabs.open(proxy.uri(), 1280, 800)) {
      // when
      proxy.refuse();
      proxy.cut();

      // then
      awaitText(tab, "#link", "trying again");
      awaitText(tab, "#notice", "What you see is of");
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

      // when: somebody who watches does not keep an instance from its end
      Exit exit = site.instance(1).terminate();

      // then
      awaitText(tab, "#link", "trying again");
      assertThat(exit.code()).isZero();
      assertThat(exit.took()).isLessThan(Duration.ofSeconds(10));
      site.instance(1).start().awaitReady();
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
          .contains(
              "call=\"admin_close\" parameters=\"sku_id="
                  + other.skuId()
                  + "\" fields=\"\" status=\"200\"");
      tab.value("void (location.hash = '#/')");
      awaitText(
          tab, "#changes", "Somebody on this machine closed SKU %d.".formatted(other.skuId()));
    }
  }

  @Test
  void shouldTakeAnOrderToItsEndByItsButtons() {
    // given
    Sale other = site.sale().withStock(20).open();
    String token = other.order(Buyer.named("norma")).token();
    await().atMost(LIMIT).until(() -> other.story(token).status() == 200);
    try (BrowserTab tab = open(1280, 800)) {
      show(tab, "#/order/" + token, "PENDING");

      // when
      press(tab, "confirmOrder");
      awaitText(tab, "#detail .tag", "CONFIRMED");
      tab.picture(PICTURES.resolve("order.png"));
      press(tab, "refundOrder");

      // then
      awaitText(tab, "#detail .tag", "REFUNDED");
      await().atMost(LIMIT).until(() -> tab.textOf("#detail .buttons").isEmpty());
      tab.value("void (location.hash = '#/')");
      awaitText(tab, "#changes", "Somebody on this machine refunded an order.");
      assertThat(tab.complaints()).isEmpty();
    }
  }

  private static void press(BrowserTab tab, String action) {
    String button = "[data-action=" + action + "]";
    await().atMost(LIMIT).until(() -> !tab.textOf(button).isEmpty());
    tab.click(button);
    tab.click("#ask [type=submit]");
    awaitText(tab, "#ask", "Done, and logged with status 200");
    tab.click("#ask [type=button]");
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
}
