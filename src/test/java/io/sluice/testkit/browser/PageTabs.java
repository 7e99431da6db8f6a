package io.sluice.testkit.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** What tests do with the live page in a tab of a browser. */
public final class PageTabs {
  public static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

  private PageTabs() {}

  /** The page at this management port, once it shows something. */
  public static BrowserTab open(String address, int width, int height) {
    BrowserTab tab = Chromium.shared().tab(width, height);
    tab.show(address + "/");
    awaitText(tab, "#link", "live");
    await().atMost(LIMIT).until(() -> tab.textOf("#word").length() > 1);
    return tab;
  }

  public static void awaitText(BrowserTab tab, String selector, String part) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(tab.textOf(selector))
                    .as("%s; %s; %s", selector, tab.textOf("#notice"), tab.complaints())
                    .contains(part));
  }

  public static void show(BrowserTab tab, String address, String part) {
    tab.value("void (location.hash = " + BrowserTab.quoted(address) + ")");
    awaitText(tab, "#detail", part);
  }

  /** Looks for what keeps people from using what the tab shows. */
  public static List<String> barriers(BrowserTab tab) {
    tab.value(resource(AXE) + "; 0");
    tab.value(
        "void (globalThis.found = axe.run(document).then(r => r.violations.map(v =>"
            + " v.id + ': ' + v.nodes.map(n => n.target + ' ' + n.failureSummary).join(' | '))))");
    String found = tab.text("globalThis.found.then(all => JSON.stringify(all))");
    return new JsonArray(found).stream().map(String::valueOf).toList();
  }

  /** A file of the test class path. */
  public static String resource(String path) {
    try (InputStream file = PageTabs.class.getResourceAsStream(path)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static int number(BrowserTab tab, String selector) {
    String digits = tab.textOf(selector).replaceAll("\\D", "");
    return digits.isEmpty() ? -1 : Integer.parseInt(digits);
  }

  /** Shows the stock of this SKU. */
  public static void choose(BrowserTab tab, long skuId) {
    String chosen =
        "(() => { const s = document.querySelector('#stock-sku'); s.value = '%d';"
            + " s.dispatchEvent(new Event('change')); return s.value; })()";
    await().atMost(LIMIT).until(() -> tab.text(chosen.formatted(skuId)).equals("" + skuId));
  }
}
