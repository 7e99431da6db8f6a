package io.sluice.bench.row;

import io.sluice.bench.load.LivesGenerator;
import io.sluice.bench.load.LivesHeard;
import io.sluice.bench.load.LivesSpec;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.CpuSpent;
import io.sluice.bench.site.LifeCounts;
import io.sluice.bench.site.LivesBacklog;
import io.sluice.bench.site.LivesBooks;
import io.sluice.bench.site.Site;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Tries rates of whole lives on a site, each on SKUs of its own, and waits for their end. */
record LivesAttempt(Site site) {
  /** They spread over the partitions. */
  private static final int SKUS = 32;

  private static final int PAYING_MAX = 4_096;
  private static final int SAMPLES = 60;
  private static final long WINDOW_S_MAX = 10;
  private static final Duration PAY_AFTER_MAX = Duration.ofSeconds(1);

  /** Of the length: until then the first orders have run out of time. */
  private static final int SETTLED_AFTER = 3;

  LivesVerdict run(int perS, Duration length) {
    long windowS = windowS(length);
    long firstSku = site.newSkus(SKUS, GrantsMeasured.PLENTY, windowS);
    LoadSpec orders = site.volley(site.service().url(), length, firstSku, SKUS).arriving(perS);
    LivesSpec spec = new LivesSpec(orders, payAfter(windowS), PAYING_MAX);
    CpuSpent cpu = CpuSpent.of(site);
    try (LivesGenerator generator = LivesGenerator.start(spec)) {
      LivesTrend trend = watch(length, cpu);
      LivesBacklog backlog = LivesBacklog.of(site, firstSku, SKUS);
      LivesHeard heard = generator.awaitEnd();
      LivesBooks books = new LivesBooks(site, firstSku, SKUS);
      books.awaitEnded();
      books.check(heard);
      return new LivesVerdict(perS, length, heard, trend, backlog, cpu);
    }
  }

  private LivesTrend watch(Duration length, CpuSpent cpu) {
    long startNs = System.nanoTime();
    long endNs = startNs + length.toNanos();
    parkUntil(startNs + length.toNanos() / SETTLED_AFTER);
    LivesTrend trend = new LivesTrend();
    cpu.begin();
    trend.add(since(startNs), LifeCounts.of(site));
    for (long next = System.nanoTime(); next < endNs; next = System.nanoTime()) {
      parkUntil(Math.min(endNs, next + length.toNanos() / SAMPLES));
      trend.add(since(startNs), LifeCounts.of(site));
    }
    cpu.end();
    return trend;
  }

  /** So short that the first orders have timed out before the trend begins. */
  static long windowS(Duration length) {
    return Math.max(1, Math.min(WINDOW_S_MAX, length.toSeconds() / 2 / SETTLED_AFTER));
  }

  private static Duration payAfter(long windowS) {
    Duration half = Duration.ofSeconds(windowS).dividedBy(2);
    return half.compareTo(PAY_AFTER_MAX) < 0 ? half : PAY_AFTER_MAX;
  }

  private static double since(long startNs) {
    return (System.nanoTime() - startNs) / 1e9;
  }

  private static void parkUntil(long atNs) {
    for (long left = atNs - System.nanoTime(); left > 0; left = atNs - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
