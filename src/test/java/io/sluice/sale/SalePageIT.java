package io.sluice.sale;

import static io.sluice.testkit.browser.PageTabs.LIMIT;
import static io.sluice.testkit.browser.PageTabs.awaitText;
import static io.sluice.testkit.browser.PageTabs.barriers;
import static io.sluice.testkit.browser.PageTabs.show;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.browser.BrowserTab;
import io.sluice.testkit.browser.PageTabs;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
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

/** A sale on the live page, from its opening to its archive. It leaves pictures in target/page. */
class SalePageIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Path PICTURES = Path.of("target", "page");
  private static final String HOSTILE = "<img/src=x/onerror=alert(1)> & <b>phones</b>";
  private static final int A_PAGE = 50;
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
  private static final int TAB = 9;
  private static final int ENTER = 13;

  private final String saleId = "phones-" + site.newSkuId();
  private final List<Long> skus = new ArrayList<>();

  private static BrowserTab open(int width, int height) {
    return PageTabs.open(site.instance(0).adminUrl(), width, height);
  }

  /** Makes the sale; it is open. */
  private void put(int number, String name) {
    for (int i = 0; i < number; i++) {
      skus.add(site.newSkuId());
    }
    skus.sort(null);
    JsonObject body = SaleBodies.of(name, skus, new JsonObject().put("total_stock", 10));
    site.putSale(saleId, body);
    String opened = "/admin/sales/" + saleId + "/open";
    await().atMost(LIMIT).until(() -> site.desk("POST", opened).status() == 200);
  }

  private Sale sku(int index) {
    return site.known(skus.get(index));
  }

  private String address() {
    return "#/sales/" + saleId;
  }

  private static String ordered(Sale of, String buyer) {
    Answer answer = of.order(Buyer.named(buyer), "k");
    assertThat(answer.isYes()).as(answer.brief()).isTrue();
    return answer.token();
  }

  private static void press(BrowserTab tab, String action, String will) {
    tab.click("[data-action=" + action + "]");
    awaitText(tab, "#ask", will);
  }

  private static void confirm(BrowserTab tab, String answer) {
    tab.click("#ask [type=submit]");
    awaitText(tab, "#ask", answer);
    tab.click("#ask [type=button]");
  }

  private static void awaitState(BrowserTab tab, String state) {
    await().atMost(ENDS_WITHIN).until(() -> tab.textOf("#detail .tag").equals(state));
  }

  @Test
  void shouldTellOfASaleAndLinkWhatBelongsToIt() {
    // given
    put(2, HOSTILE);
    sku(0).pay(ordered(sku(0), "alice"));
    sku(0).cancel(Buyer.named("bob"), ordered(sku(0), "bob"));
    ordered(sku(1), "carol");

    try (BrowserTab tab = open(1280, 800)) {
      // when: from the first screen, and from a SKU
      await().atMost(LIMIT).until(() -> tab.textOf("#sales").contains(saleId + " OPEN " + HOSTILE));
      tab.click("#sales a[href='" + address() + "']");
      awaitText(tab, "#detail h1", "Sale " + saleId);
      show(tab, "#/sku/" + skus.get(0), "Restock");
      tab.click("#detail a[href='" + address() + "']");

      // then
      awaitText(tab, "#detail h1", "Sale " + saleId);
      awaitText(tab, "#detail", HOSTILE);
      String detail = "#detail .panel";
      awaitText(tab, detail, "Granted\n3");
      awaitText(tab, detail, "Pending\n1");
      awaitText(tab, detail, "Confirmed\n1");
      awaitText(tab, detail, "Canceled\n1");
      awaitText(tab, detail, "On sale\n20");
      awaitText(tab, detail, "Sold\n1");
      assertThat(tab.textOf(detail)).contains("Its SKUs, 2 in all").doesNotContain("waits for");
      assertThat(tab.value("document.querySelectorAll('main img, main b b, main script').length"))
          .isEqualTo(0);
      tab.picture(PICTURES.resolve("sale.png"));

      // when
      tab.value("void document.querySelector('#detail a[target]').removeAttribute('target')");
      tab.click("#detail a[href$='format=html']");

      // then
      awaitText(tab, "h1", HOSTILE);
      assertThat(tab.complaints()).isEmpty();
    }
  }

  @Test
  void shouldTakeASaleToItsEndAndItsArchive() {
    // given
    put(1, HOSTILE);
    String token = ordered(sku(0), "alice");
    try (BrowserTab tab = open(390, 844)) {
      show(tab, address(), "Its SKUs, 1 in all");
      awaitState(tab, "OPEN");

      // when
      press(tab, "freezeSale", "Buyers of all its SKUs");
      assertThat(barriers(tab)).isEmpty();
      confirm(tab, "Done, and logged with status 200");
      awaitState(tab, "FROZEN");
      press(tab, "unfreezeSale", "SKUs that are frozen on their own");
      confirm(tab, "Done");
      awaitState(tab, "OPEN");
      press(tab, "closeSale", "answered \"not open\"");
      confirm(tab, "Done");
      awaitState(tab, "CLOSED");
      press(tab, "openSale", "whatever its opening time is");
      confirm(tab, "Done");
      awaitState(tab, "OPEN");

      // when: by keyboard alone
      tab.value("document.querySelector('[data-action=endSale]').focus()");
      tab.press("Enter", ENTER);
      awaitText(tab, "#ask", "For good: all its SKUs close");
      tab.press("Tab", TAB);
      tab.press("Enter", ENTER);
      awaitText(tab, "#ask", "Taken, and not finished yet");
      tab.press("Enter", ENTER);

      // then
      awaitState(tab, "ENDING");
      awaitText(tab, "#detail", "1 SKU, with 1 held unit: orders wait for their payment");
      assertThat(tab.value("document.querySelectorAll('#detail [data-action]').length"))
          .isEqualTo(0);
      assertThat(barriers(tab)).isEmpty();
      tab.picture(PICTURES.resolve("sale-ending-390.png"));

      // when
      sku(0).pay(token);

      // then
      awaitState(tab, "ENDED");
      press(tab, "archiveSale", "Its orders move to the archive");
      confirm(tab, "");
      awaitState(tab, "ARCHIVED");
      assertThat(site.instance(0).log())
          .contains(
              "call=\"admin_end_sale\" parameters=\"sale_id="
                  + saleId
                  + "\" fields=\"\" status=\"202\"");
      tab.value("void (location.hash = '#/')");
      String archived = "(?s).*archived? sale " + saleId + ".*";
      await().atMost(LIMIT).until(() -> tab.textOf("#changes").matches(archived));
      await().atMost(LIMIT).until(() -> !tab.textOf("#sales").contains(saleId));
      show(tab, "#/sales", saleId);
      assertThat(tab.complaints()).isEmpty();
    }
  }

  @Test
  void shouldShowManySkusPageByPage() {
    // given
    put(A_PAGE + 1, HOSTILE);
    try (BrowserTab tab = open(1280, 800)) {
      show(tab, address(), "Its SKUs, 51 in all");
      String rows = "document.querySelectorAll('#detail tbody tr').length";
      assertThat(tab.value(rows)).isEqualTo(A_PAGE);

      // when
      tab.value("document.querySelector('[data-action=more]').focus()");
      tab.press("Enter", ENTER);

      // then
      awaitText(tab, "#detail", "Back to the first");
      assertThat(tab.value(rows)).isEqualTo(1);
      assertThat(tab.textOf("#detail tbody")).contains(String.valueOf(skus.get(A_PAGE)));
      assertThat(tab.text("document.activeElement.dataset.action")).isEqualTo("more");

      // when
      tab.press("Enter", ENTER);

      // then
      await().atMost(LIMIT).until(() -> tab.value(rows).equals(A_PAGE));
      assertThat(tab.complaints()).isEmpty();
    }
  }

  @Test
  void shouldPutNoBarrierBeforeAnybody() {
    // given
    put(3, "Singles' day, phones");
    sku(0).pay(ordered(sku(0), "alice"));
    sku(1).cancel(Buyer.named("bob"), ordered(sku(1), "bob"));
    ordered(sku(1), "carol");
    for (int width : List.of(1280, 390)) {
      try (BrowserTab tab = open(width, 844)) {
        for (String theme : List.of("light", "dark")) {
          for (String shown : List.of(address(), "#/sales", "#/sales/of-nobody")) {
            // when
            show(tab, shown, shown.equals("#/sales") ? saleId : "ale");
            await().atMost(LIMIT).until(() -> !tab.textOf("#detail").contains("Being counted"));
            await().atMost(LIMIT).until(() -> !tab.textOf("#detail").contains("Reading"));

            // then
            assertThat(barriers(tab)).as("%s, %s, %d", shown, theme, width).isEmpty();
            assertThat(tab.value("document.documentElement.scrollWidth")).isEqualTo(width);
          }
          tab.value("void (location.hash = '" + address() + "')");
          awaitText(tab, "#detail", "Granted\n3");
          tab.picture(PICTURES.resolve("sale-%s-%d.png".formatted(theme, width)));
          tab.click("#theme");
        }
        // A sale that is not there is a 404, which a browser complains of.
        assertThat(tab.complaints().stream().filter(line -> !line.contains("404"))).isEmpty();
      }
    }
  }

  @Test
  void shouldSayThatThereIsNoSuchSale() {
    try (BrowserTab tab = open(1280, 800)) {
      for (String unknown : List.of("of-nobody", "%3Cb%3Eme%3C%2Fb%3E")) {
        // when
        tab.value("void (location.hash = '#/sales/" + unknown + "')");

        // then
        awaitText(tab, "#detail .problem", "Expected the id of a sale");
      }
      assertThat(tab.textOf("#detail h1")).isEqualTo("Sale <b>me</b>");
    }
  }
}
