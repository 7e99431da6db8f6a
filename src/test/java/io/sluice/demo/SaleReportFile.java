package io.sluice.demo;

import io.sluice.testkit.site.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The report of the demo's sale, as a file for a browser. */
record SaleReportFile(Shop shop) {
  private static final Path FILE = Path.of("target", "demo", "report.html");

  /** The service writes what it has counted every ten seconds. */
  private static final Duration COUNTED_WITHIN = Duration.ofSeconds(15);

  /** Writes it once it tells of so many grants, or after some seconds as it is; returns where. */
  Path write(long grants, Runnable pause) {
    long endNs = System.nanoTime() + COUNTED_WITHIN.toNanos();
    while (counted() < grants && System.nanoTime() < endNs) {
      pause.run();
    }
    Answer page = shop.report("html");
    if (page.status() != 200) {
      throw new DemoException("the service makes no report: " + page.body());
    }
    try {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, page.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return FILE;
  }

  private long counted() {
    Answer report = shop.report("json");
    return report.status() == 200 ? report.json().getJsonObject("grant_ms").getLong("grants") : 0;
  }
}
