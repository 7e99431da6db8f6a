package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.ledger.History.FoundPage;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.Page;
import io.sluice.ledger.History.Story;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.Reason;
import io.sluice.monitor.Alarm;
import io.sluice.order.CommandAnswer;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.testkit.browser.BrowserTab;
import io.sluice.testkit.browser.Chromium;
import io.sluice.testkit.browser.PageTabs;
import io.sluice.web.Endpoint;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The modules of the live page, each by itself, in a browser. */
class PageScriptIT {
  private static final String ACTIONS = "document.querySelectorAll('#detail [data-action]').length";

  private static final AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG);

  @BeforeAll
  static void serve() {
    port.serving();
  }

  @AfterAll
  static void close() {
    port.close();
  }

  /** Gives the page another token. */
  private static void use(BrowserTab tab, String token) {
    tab.value("document.querySelector('#ask').open || document.querySelector('#sign-in').click()");
    tab.value("void (document.querySelector('#ask input').value = '" + token + "')");
    tab.click("#ask [type=submit]");
    PageTabs.awaitText(tab, "#link", "live");
  }

  private static BrowserTab open() {
    BrowserTab tab = Chromium.shared().tab(1280, 800);
    tab.show(port.url() + "/");
    PageTabs.awaitText(tab, "#ask", "Who are you?");
    return tab;
  }

  @Test
  void shouldAskForTheTokenAndUseIt() {
    // given
    port.stories.foundPage = new FoundPage(List.of(FakeStories.PENDING), Optional.empty());
    try (BrowserTab tab = open()) {
      assertThat(tab.textOf("#ask")).contains("Expected the bearer token of an operator");

      // when
      tab.value("void (document.querySelector('#ask input').value = '" + AdminCalls.RITA + "')");
      tab.click("#ask [type=submit]");

      // then
      PageTabs.awaitText(tab, "#link", "live");
      assertThat(tab.text("JSON.stringify(localStorage)")).doesNotContain(AdminCalls.RITA);

      // when: a reader may look, and at no buyer
      PageTabs.show(tab, "#/sku/7", "Expected the id of a SKU");
      PageTabs.show(tab, "#/buyer/alice", "the role of this token is reader");

      // then
      assertThat(tab.value(ACTIONS)).isEqualTo(0);

      // when
      use(tab, AdminCalls.OLGA);

      // then
      await().atMost(PageTabs.LIMIT).until(() -> tab.value(ACTIONS).equals(1));

      // when: the page has not heard of it yet
      use(tab, AdminCalls.RITA);
      String answer = tab.text(PageTabs.resource("/page-scripts/ban.js"));

      // then
      assertThat(answer).contains("the role of this token is reader");
      await().atMost(PageTabs.LIMIT).until(() -> tab.value(ACTIONS).equals(0));
    }
  }

  /** The stock of eight SKUs was all that the page had, however many there were. */
  @Test
  void shouldShowTheUnitsOfAllInstancesWhenThereAreManySkus() {
    // given
    String report = "{\"at\":1,\"units\":{\"free\":700,\"held\":10,\"sold\":2000}}";
    try (BrowserTab tab = open()) {
      use(tab, AdminCalls.OLGA);
      PageTabs.awaitText(tab, "#flow-note", "units, and new ones per second");
      boolean hiddenBefore = (boolean) tab.value("document.querySelector('#flow-all').hidden");

      // when
      for (int i = 0; i < 20; i++) {
        port.ledger.has(FakeLedger.sku(2_000 + i, 1));
        port.ledger.reports.put(i, report);
      }

      // then
      assertThat(hiddenBefore).isTrue();
      PageTabs.awaitText(tab, "#flow-all", "2,800 left, 40 held, 8,000 sold");
    } finally {
      port.ledger.skus.keySet().removeIf(skuId -> skuId >= 2_000);
      port.ledger.reports.clear();
    }
  }

  /** An id that was mistyped could be banned, and an order was found by its token alone. */
  @Test
  void shouldFindOrdersByAnyNameAndBanNobodyWhoNeverWas() {
    // given
    String token = FakeStories.PENDING.token().value();
    port.stories.foundPage = new FoundPage(List.of(FakeStories.PENDING), Optional.empty());
    try (BrowserTab tab = open()) {
      use(tab, AdminCalls.OLGA);

      // when
      PageTabs.show(tab, "#/find/pay-81", "Orders with this payment");
      String found = tab.textOf("#detail");
      port.stories.foundPage = new FoundPage(List.of(), Optional.empty());
      PageTabs.show(tab, "#/find/nothing", "No order has this name");
      PageTabs.show(tab, "#/buyer/nobody", "None is known of a buyer");

      // then
      assertThat(found).contains(token).doesNotContain("Orders of this buyer");
      assertThat(tab.value(ACTIONS)).isEqualTo(0);
    }
  }

  /** The page of a reader asked for orders again and again, and each time it was refused. */
  @Test
  void shouldAskOnlyForWhatItsRoleMaySee() {
    // given
    port.ledger.has(FakeLedger.sku(8, 1));
    try (BrowserTab tab = open()) {
      use(tab, AdminCalls.RITA);

      // when
      PageTabs.show(tab, "#/sku/8", "The roles support and operator see them");
      await().atMost(PageTabs.LIMIT).until(() -> asked(tab, "/admin/skus/8") > 1);

      // then
      assertThat(asked(tab, "/admin/orders")).isZero();

      // when: as long as the SKU was asked for twice
      PageTabs.show(tab, "#/buyer/bob", "the role of this token is reader");
      Object since = tab.value("performance.now()");
      await()
          .atMost(PageTabs.LIMIT)
          .until(() -> tab.value("performance.now() > 4000 + " + since).equals(true));

      // then
      assertThat(asked(tab, "/admin/blacklist/bob")).isEqualTo(1);
    }
  }

  /** The units of an order of several SKUs were blank, and it had one of its SKUs. */
  @Test
  void shouldShowAllLinesOfAnOrderAndTheNamesOfItsSkusAsText() {
    // given
    Order cart = FakeStories.CART;
    port.ledger.has(FakeLedger.sku(1001, 1).named("<b>Phone"));
    port.stories.story = Optional.of(FakeStories.refunded());
    port.stories.page = new Page(List.of(cart), new HoldPlace(0, 1, 7), true);
    try (BrowserTab tab = open()) {
      use(tab, AdminCalls.OLGA);

      // when
      PageTabs.show(tab, "#/order/" + cart.token(), "Its lines");
      String order = tab.textOf("#detail").replaceAll("\\s+", " ");
      PageTabs.show(tab, "#/sku/1001", "Its first orders");
      String sku = tab.textOf("#detail").replaceAll("\\s+", " ");

      // then
      assertThat(order)
          .contains("Units 3", "1001 <b>Phone 1 0", "1002 2 0", "1 unit \u00b7 SKU 1002 \u00b7 r1");
      assertThat(sku).contains("Name <b>Phone", "PENDING 3 1 of 1001, 2 of 1002");
    }
  }

  /** How often the page has called this. */
  private static int asked(BrowserTab tab, String path) {
    return (int)
        tab.value(
            "performance.getEntriesByType('resource').filter(one => one.name.includes('"
                + path
                + "')).length");
  }

  @Test
  void shouldFetchTheReportOfASaleWithItsToken() {
    // given
    port.sales.seen = Optional.of(new Seen(FakeSales.SALE, AdminPortFixture.NOW.toEpochMilli()));
    port.sales.page = List.of(port.sales.seen.get());
    try (BrowserTab tab = open()) {
      use(tab, AdminCalls.RITA);
      PageTabs.show(tab, "#/sales", "Singles' day, phones");
      PageTabs.show(tab, "#/sales/phones-12", "Its report");

      // when
      tab.click("#detail a[href$='format=html']");

      // then
      PageTabs.awaitText(tab, "#detail", "Among your downloads");
      assertThat(tab.text("location.hash")).isEqualTo("#/sales/phones-12");
    }
  }

  /** An order could only be looked at there. */
  @Test
  void shouldOfferWhatTheStatusOfAnOrderAllowsAndTellTheAnswer() {
    // given
    String address = "#/order/" + FakeStories.PENDING.token();
    port.stories.story = Optional.of(new Story(FakeStories.PENDING, List.of()));
    port.commands.clear();
    try (BrowserTab tab = open()) {
      use(tab, AdminCalls.SUE);
      PageTabs.show(tab, address, "PENDING");
      Object ofSupport = tab.value(ACTIONS);
      use(tab, AdminCalls.OLGA);
      await().atMost(PageTabs.LIMIT).until(() -> tab.value(ACTIONS).equals(3));

      // when: somebody was faster
      port.commandAnswer =
          new CommandAnswer.Conflict(ConflictType.ALREADY_CONFIRMED, FakeStories.PENDING);
      tab.click("[data-action=cancelOrder]");
      PageTabs.awaitText(tab, "#ask", "For good: its buyer has it no more");
      assertThat(PageTabs.barriers(tab)).isEmpty();
      assertThat(port.commands).isEmpty();
      tab.click("#ask [type=submit]");
      PageTabs.awaitText(tab, "#ask .problem", "only a refund can end it");
      tab.click("#ask [type=button]");

      // when
      port.commandAnswer = new CommandAnswer.Accepted(FakeStories.PENDING);
      tab.click("[data-action=extendOrder]");
      tab.value("void (document.querySelector('#ask [name=seconds]').value = '90')");
      tab.click("#ask [type=submit]");
      PageTabs.awaitText(tab, "#ask", "Taken, and not finished yet");
      port.stories.story = Optional.of(FakeStories.paid("pay-81"));
      tab.click("#ask [type=button]");

      // then: it is read again, and its buttons are others
      PageTabs.awaitText(tab, "#detail .tag", "CONFIRMED");
      await().atMost(PageTabs.LIMIT).until(() -> tab.value(ACTIONS).equals(1));
      assertThat(tab.textOf("[data-action=refundOrder]")).isEqualTo("Refund");
      assertThat(ofSupport).isEqualTo(0);
      assertThat(port.commands)
          .containsExactly(
              new Command.Cancel(FakeStories.PENDING.token(), Reason.OPERATOR),
              new Command.Extend(FakeStories.PENDING.token(), 90));
      tab.value("void (location.hash = '#/')");
      PageTabs.awaitText(tab, "#changes", "olga tried to cancel an order, but was refused (409).");
      assertThat(tab.complaints()).isEmpty();
    }
  }

  /** Who saw that a part is away had to know which chapter of the runbook it is. */
  @Test
  void shouldLinkWhatIsAwayToItsChapterAndSayWhatStillWorks() {
    // given
    String works = "Still works: " + Alarm.STOCK_AWAY.works();
    port.readiness.report("mysql", true, "answers");
    port.readiness.report("redis", false, "does not answer");
    try (BrowserTab tab = open()) {
      use(tab, AdminCalls.RITA);

      // when
      PageTabs.awaitText(tab, "#reasons", "redis: does not answer");
      String banner = tab.textOf("#reasons");
      tab.click("#reasons a");

      // then
      assertThat(banner).contains(works);
      PageTabs.awaitText(tab, "#detail", Alarm.STOCK_AWAY.text());
      PageTabs.awaitText(tab, "#detail", works);
      assertThat(tab.text("location.hash")).isEqualTo("#/alarm/stock-away");

      // when: as for somebody who was sent the address
      tab.value("void location.reload()");

      // then
      PageTabs.awaitText(tab, "#link", "live");
      PageTabs.awaitText(tab, "#detail", works);
      if (getClass().getResource("/page/runbook.md") != null) {
        PageTabs.awaitText(tab, "#detail", "Do: bring Redis back");
      }
      assertThat(PageTabs.barriers(tab)).isEmpty();
      assertThat(tab.complaints()).isEmpty();
    }
  }

  @Test
  void shouldShowTheChapterOfAnAlarm() {
    // given
    assumeTrue(
        getClass().getResource("/page/runbook.md") != null,
        "The classes were compiled without Maven, which puts the runbook beside them");
    try (BrowserTab tab = open()) {

      // when
      String shown = tab.text(PageTabs.resource("/page-scripts/alarm.js"));

      // then
      assertThat(shown).contains("2 in all on this instance").contains("Means: two order tokens");
      assertThat(shown).contains("Do: inform the buyer in the dead letter").doesNotContain("**");
    }
  }

  /** They were names of calls with their parameters, as the log has them. */
  @Test
  void shouldTellEachChangeOfAnOperatorAsASentence() {
    // given
    List<String> changes =
        port.endpoints().stream()
            .filter(call -> !call.method().equals(HttpMethod.GET))
            .map(Endpoint::name)
            .toList();
    try (BrowserTab tab = open()) {

      // when
      String script = PageTabs.resource("/page-scripts/changes.js");
      String told = tab.text(script.replace("CALLS", new JsonArray(changes).encode()));

      // then
      assertThat(told.lines()).hasSize(4 * changes.size()).doesNotHaveDuplicates();
      assertThat(told)
          .contains("olga changed the stock of SKU 7 by -5 units\n")
          .contains("olga asked to end sale rain, which was not finished at once\n")
          .contains("olga tried to ban a buyer, but was refused (409)\n")
          .contains(
              "olga tried to start job j1 (refund-paid of sale rain), but got no certain answer"
                  + " (503)\n")
          .doesNotContain("admin_", "undefined");

      // when: by a call, which names no buyer to a reader
      port.probe.json(
          "PUT",
          "/admin/blacklist/alice",
          "{\"ban_s\":60}",
          "Authorization",
          "Bearer " + AdminCalls.OLGA);
      use(tab, AdminCalls.RITA);

      // then
      PageTabs.awaitText(tab, "#changes", "olga banned a buyer.");
    }
  }

  @Test
  void shouldTakeDifferencesAndPercentilesRightly() {
    // when
    try (BrowserTab tab = open()) {
      String found = tab.text(PageTabs.resource("/page-scripts/rates.js"));

      // then
      assertThat(found).isEqualTo("[300,150,10,19.8,true,null,1]");
    }
  }
}
