package io.sluice.demo;

import io.sluice.testkit.process.ProgressBar;
import io.sluice.testkit.process.Screen;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gives a newcomer the time to open the live page, so that the stampede is seen on it. */
record Audience(Screen screen, SluiceProcess service, HttpCaller caller) {
  private static final Duration WAIT_MAX = Duration.ofSeconds(20);

  /** From the first frame on, so that the stock is seen before it falls. */
  private static final Duration LOOK = Duration.ofSeconds(3);

  private static final Pattern VIEWERS = Pattern.compile("(?m)^sluice_page_viewers ([1-9]\\S*)$");

  static String page() {
    return "http://localhost:" + DemoServers.ADMIN_PORT + "/";
  }

  /**
   * Returns once somebody has watched for a moment, or nobody came in time.
   *
   * @param pause waits for a moment
   */
  @SuppressWarnings("try") // The bar is a resource that is only closed.
  void await(Runnable pause) {
    long startNs = System.nanoTime();
    long seenNs = 0;
    try (var bar =
        ProgressBar.show(
            screen,
            "your seat",
            WAIT_MAX.toSeconds(),
            () -> (System.nanoTime() - startNs) / 1_000_000_000,
            () -> "open " + page() + " to watch")) {
      while (System.nanoTime() - startNs < WAIT_MAX.toNanos()
          && (seenNs == 0 || System.nanoTime() - seenNs < LOOK.toNanos())) {
        if (seenNs == 0 && isWatched()) {
          seenNs = System.nanoTime();
        }
        pause.run();
      }
    }
  }

  private boolean isWatched() {
    Matcher viewers = VIEWERS.matcher(caller.ask(Call.get(service.adminUrl() + "/metrics")).body());
    return viewers.find();
  }
}
