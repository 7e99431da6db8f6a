package io.sluice.admin.page;

import io.sluice.model.BundledFile;
import io.sluice.model.Sha256;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Problem;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A file of the page, from the class path. All are read when this class is initialized, so a
 * missing one fails the start.
 *
 * @param name in its address
 * @param tag differs if the content does
 */
public record PageFile(String name, String mediaType, Buffer content, String tag) {
  /** The page itself, which {@code /} answers with. */
  static final String INDEX = "index.html";

  private static final String FOLDER = "/page/";
  private static final String CHARTS = "chart.umd.min.js";

  /** The version is that of {@code chartjs.version} in pom.xml. */
  private static final String CHARTS_PATH =
      "/META-INF/resources/webjars/chart.js/4.5.1/dist/" + CHARTS;

  /** The build puts docs/runbook.md next to the page, for its chapters of alarms. */
  private static final String RUNBOOK = "runbook.md";

  private static final List<String> NAMES =
      List.of(
          INDEX,
          "page.css",
          "icon.svg",
          "main.js",
          "stream.js",
          "calls.js",
          "dom.js",
          "find.js",
          "numbers.js",
          "rates.js",
          "charts.js",
          "overview.js",
          "status.js",
          "stock.js",
          "health.js",
          "changes.js",
          "detail.js",
          "sku.js",
          "sale.js",
          "sales.js",
          "order.js",
          "partition.js",
          "buyer.js",
          "alarm.js",
          "actions.js",
          "ask.js");

  static final Map<String, PageFile> ALL = readAll();

  /** The page loads nothing from elsewhere, runs no script of its markup, and is in no frame. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** The calls for the page and its files. */
  public static List<Endpoint> endpoints() {
    return List.of(
        get("/", "page", exchange -> INDEX),
        get("/page/:file", "page_file", exchange -> exchange.pathParam("file")));
  }

  private static Endpoint get(String path, String name, Function<Exchange, String> file) {
    return new Endpoint(
        HttpMethod.GET,
        path,
        name,
        Guard.ANYBODY,
        Input.ALWAYS,
        exchange -> send(exchange, ALL.get(file.apply(exchange))));
  }

  private static void send(Exchange exchange, @Nullable PageFile file) {
    if (file == null) {
      exchange.answer(Problem.NOT_FOUND);
      return;
    }
    MultiMap headers = exchange.request().response().headers();
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set(HttpHeaders.CACHE_CONTROL, "no-cache");
    headers.set(HttpHeaders.ETAG, file.tag());
    if (file.tag().equals(exchange.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
      exchange.answerUnchanged();
    } else {
      exchange.answer(file.mediaType(), file.content());
    }
  }

  private static Map<String, PageFile> readAll() {
    Map<String, PageFile> all = new HashMap<>();
    NAMES.forEach(name -> all.put(name, read(name, FOLDER + name)));
    all.put(CHARTS, read(CHARTS, CHARTS_PATH));
    // Classes that were compiled without Maven have no runbook; the page says so then.
    if (PageFile.class.getResource(FOLDER + RUNBOOK) != null) {
      all.put(RUNBOOK, read(RUNBOOK, FOLDER + RUNBOOK));
    }
    return Map.copyOf(all);
  }

  private static PageFile read(String name, String path) {
    byte[] bytes = BundledFile.bytes(path);
    String tag = '"' + HexFormat.of().formatHex(Sha256.of(bytes), 0, 8) + '"';
    return new PageFile(name, mediaType(name), Buffer.buffer(bytes), tag);
  }

  private static String mediaType(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "svg" -> "image/svg+xml";
      case "md" -> "text/markdown; charset=utf-8";
      default -> "text/javascript; charset=utf-8";
    };
  }
}
