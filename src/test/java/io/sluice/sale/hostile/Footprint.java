package io.sluice.sale.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.MetricsPage;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.LiveHeap;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** What an instance held at some moment, to compare with what it holds later. */
final class Footprint {
  private static final long HEAP_GROWTH_MAX = 50L << 20;
  private static final int DESCRIPTORS_GROWTH_MAX = 20;
  private static final String IN_FLIGHT = "sluice_http_requests_in_flight";

  private final SluiceProcess instance;
  private final Call metrics;
  private final long heap;
  private final long descriptors;

  private Footprint(SluiceProcess instance, Call metrics) throws IOException {
    this.instance = instance;
    this.metrics = metrics;
    this.heap = LiveHeap.bytesOf(instance);
    this.descriptors = descriptors(instance);
  }

  /**
   * @param metrics the call for the instance's metrics
   */
  static Footprint of(SluiceProcess instance, Call metrics) throws IOException {
    return new Footprint(instance, metrics);
  }

  /** Waits until nothing is in flight, and memory and descriptors are as they were. */
  void assertRestored(SaleSite site, Duration limit) throws IOException {
    await().atMost(limit).untilAsserted(() -> assertThat(inFlight(site)).isZero());
    await()
        .atMost(limit)
        .until(() -> descriptors(instance) <= descriptors + DESCRIPTORS_GROWTH_MAX);
    long growth = LiveHeap.bytesOf(instance) - heap;
    System.out.println(instance.name() + ": heap grown by " + growth + " bytes");
    assertThat(growth).isLessThan(HEAP_GROWTH_MAX);
  }

  private double inFlight(SaleSite site) {
    Answer page = site.http().ask(metrics);
    assertThat(page.status()).isEqualTo(200);
    return new MetricsPage(page.body()).value(IN_FLIGHT);
  }

  /** Open files and sockets. */
  private static long descriptors(SluiceProcess instance) {
    String[] open = Path.of("/proc", String.valueOf(instance.pid()), "fd").toFile().list();
    return open == null ? 0 : open.length;
  }
}
