package io.sluice.admin.page;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A file of the page, from the class path. All are read when this class is initialized, so a
 * missing one fails the start.
 *
 * @param name in its address
 * @param tag differs if the content does
 */
record PageFile(String name, String mediaType, Buffer content, String tag) {
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
          "numbers.js",
          "rates.js",
          "charts.js",
          "overview.js",
          "status.js",
          "stock.js",
          "health.js",
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

  private static final Map<String, PageFile> ALL = readAll();

  static Map<String, PageFile> all() {
    return ALL;
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
    try (InputStream file = PageFile.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException(
            "Expected the file " + path + " on the class path, but it is missing");
      }
      byte[] bytes = file.readAllBytes();
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      String tag = '"' + HexFormat.of().formatHex(hash, 0, 8) + '"';
      return new PageFile(name, mediaType(name), Buffer.buffer(bytes), tag);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Expected SHA-256, which every JDK has", e);
    }
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
