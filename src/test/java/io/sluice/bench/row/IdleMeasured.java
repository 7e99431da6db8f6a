package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.site.CpuSpent;
import io.sluice.bench.site.Site;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Row 10: the processor time of the service and its servers while ten thousand SKUs are open and
 * nobody orders, in percent of one processor; the row's ratio is that of the service. The SKUs of a
 * site are created once, and rest before the first run, so that all of them have been watched and
 * compared.
 */
public final class IdleMeasured implements Measurement {
  private static final int SKUS = Integer.getInteger("skus", 10_000);
  private static final Duration REST = Duration.ofSeconds(Integer.getInteger("rest", 60));
  private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("idle", 30));
  private static final int UNITS = 1_000;

  private final Set<Site> rested = Collections.newSetFromMap(new IdentityHashMap<>());

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    if (rested.add(site)) {
      step.accept("creating %,d SKUs".formatted(SKUS));
      site.newSkus(SKUS, UNITS);
      step.accept("resting");
      pass(REST);
    }
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("idle");
      CpuSpent cpu = CpuSpent.of(site);
      long beginNanos = System.nanoTime();
      cpu.begin();
      pass(LENGTH);
      cpu.end();
      Map<String, Double> percent = cpu.percentOf(Duration.ofNanos(System.nanoTime() - beginNanos));
      percent.forEach((part, value) -> result.figure(part + " %", value));
      result.ratio(percent.get(CpuSpent.SERVICE));
    }
  }

  private static void pass(Duration time) {
    long endNanos = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = endNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
