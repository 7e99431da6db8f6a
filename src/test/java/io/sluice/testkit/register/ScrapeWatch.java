package io.sluice.testkit.register;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Scrapes the instances of a site again and again, and notes which metrics have moved. */
final class ScrapeWatch implements AutoCloseable {
  private static final long EVERY_MS = 250;
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private final SaleSite site;
  private final ScheduledExecutorService scraper =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "scraper");
            thread.setDaemon(true);
            return thread;
          });

  /** By instance and series. */
  private final Map<String, SeriesWatch> series = new HashMap<>();

  private final Set<String> moved = new ConcurrentSkipListSet<>();

  private ScrapeWatch(SaleSite site) {
    this.site = site;
  }

  /** A watch that has scraped once. */
  static ScrapeWatch of(SaleSite site) {
    ScrapeWatch watch = new ScrapeWatch(site);
    watch.scrape(true);
    watch.scraper.scheduleWithFixedDelay(
        () -> watch.scrape(false), EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
    return watch;
  }

  /** The metrics of which a series has moved; of summaries and histograms, by their count. */
  Set<String> moved() {
    return Set.copyOf(moved);
  }

  @Override
  public void close() {
    scraper.shutdownNow();
  }

  private void scrape(boolean first) {
    for (SluiceProcess instance : site.instances()) {
      if (instance.isAlive()) {
        Answer page = site.http().ask(Call.get(instance.adminUrl() + "/metrics").within(LIMIT));
        if (page.status() == 200) {
          page.body()
              .lines()
              .filter(line -> line.startsWith("sluice_"))
              .forEach(line -> note(instance.name(), line, first));
        }
      }
    }
  }

  /** What was not shown before the test was 0. */
  private void note(String instance, String line, boolean first) {
    int end = line.lastIndexOf(' ');
    String name = line.substring(0, end);
    double value = Double.parseDouble(line.substring(end + 1));
    SeriesWatch one =
        series.computeIfAbsent(
            instance + " " + name,
            absent -> new SeriesWatch(SeriesWatch.metricOf(name), first ? value : 0));
    if (one.moves(value)) {
      moved.add(one.metric());
    }
  }
}
