package io.sluice.chaos;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Lets the planned faults fall, each on a thread of its own. What is still broken is mended before
 * it is broken again.
 */
final class Striker implements AutoCloseable {
  /**
   * A fault as it came.
   *
   * @param struckMs, liftedMs epoch milliseconds
   */
  record Strike(Fault fault, long struckMs, long liftedMs) {}

  private static final int THREADS = 16;
  private static final int MEND_LIMIT_S = 150;

  private final Targets targets;
  private final Consumer<String> tell;
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
  private final Map<String, ReentrantLock> busy = new ConcurrentHashMap<>();
  private final List<Strike> strikes = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  Striker(Targets targets, Consumer<String> tell) {
    this.targets = targets;
    this.tell = tell;
  }

  /** Runs the plan; returns when all is mended. */
  void run(List<Fault> faults) throws InterruptedException {
    var open = new CountDownLatch(faults.size());
    for (Fault fault : faults) {
      threads.schedule(
          () -> {
            try {
              let(fault);
            } catch (RuntimeException | AssertionError | InterruptedException e) {
              failed(fault, e);
            } finally {
              open.countDown();
            }
          },
          fault.atMs(),
          TimeUnit.MILLISECONDS);
    }
    long lastMs = faults.stream().mapToLong(fault -> fault.atMs() + fault.holdMs()).max().orElse(0);
    if (!open.await(lastMs + TimeUnit.SECONDS.toMillis(MEND_LIMIT_S), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("faults are not mended after " + MEND_LIMIT_S + " s: " + strikes());
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("faults could not be made or mended: " + failures);
    }
  }

  synchronized List<Strike> strikes() {
    return List.copyOf(strikes);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private void let(Fault fault) throws InterruptedException {
    ReentrantLock target = busy.computeIfAbsent(fault.target(), any -> new ReentrantLock());
    target.lock();
    try {
      tell.accept("fault " + fault);
      long struckMs = System.currentTimeMillis();
      if (fault.kind() == FaultKind.REDIS_AGED) {
        Path kept = targets.keepRedis();
        hold(fault);
        struckMs = System.currentTimeMillis();
        targets.age(kept);
      } else {
        targets.strike(fault);
        hold(fault);
        targets.lift(fault);
      }
      long liftedMs = System.currentTimeMillis();
      synchronized (this) {
        strikes.add(new Strike(fault, struckMs, liftedMs));
      }
    } finally {
      target.unlock();
    }
  }

  private synchronized void failed(Fault fault, Throwable why) {
    failures.add(fault + ": " + why);
  }

  /** The length of a fault is part of the plan, so it is slept, not awaited. */
  private static void hold(Fault fault) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(fault.holdMs());
  }
}
