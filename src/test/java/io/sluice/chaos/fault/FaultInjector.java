package io.sluice.chaos.fault;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Injects the faults of a scene, each on a thread of its own. */
public final class FaultInjector implements AutoCloseable {
  /**
   * An injected fault.
   *
   * @param struckMs, liftedMs epoch milliseconds
   */
  record Strike(Fault fault, long struckMs, long liftedMs) {}

  private static final int THREADS = 12;
  private static final int MEND_LIMIT_S = 150;

  private final Targets targets;
  private final Consumer<String> tell;
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
  private final List<Strike> strikes = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  public FaultInjector(Targets targets, Consumer<String> tell) {
    this.targets = targets;
    this.tell = tell;
  }

  /** Injects all faults of a scene; returns them, with their times, when all have ended. */
  public List<Strike> run(Scene scene) throws InterruptedException {
    List<Fault> faults = scene.faults();
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
      throw new AssertionError("not ended after " + MEND_LIMIT_S + " s: " + scene);
    }
    return strikes().stream()
        .filter(strike -> faults.contains(strike.fault()))
        .sorted(Comparator.comparingInt(strike -> strike.fault().number()))
        .toList();
  }

  public synchronized List<Strike> strikes() {
    return List.copyOf(strikes);
  }

  /** Faults that could not be injected or ended: a defect of the run, not of the service. */
  public synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private void let(Fault fault) throws InterruptedException {
    Blow blow = targets.blow(fault);
    tell.accept("fault " + fault);
    blow.prepare().run();
    if (blow.holdsBefore()) {
      hold(fault);
    }
    long struckMs = System.currentTimeMillis();
    blow.strike().run();
    if (!blow.holdsBefore()) {
      hold(fault);
    }
    blow.lift().run();
    long liftedMs = System.currentTimeMillis();
    blow.after().run();
    synchronized (this) {
      strikes.add(new Strike(fault, struckMs, liftedMs));
    }
  }

  private synchronized void failed(Fault fault, Throwable why) {
    tell.accept("could not be injected or ended: " + fault + ": " + why);
    failures.add(fault + ": " + why);
  }

  /** The length of a fault is part of the plan, so this sleeps a fixed time instead of polling. */
  private static void hold(Fault fault) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(fault.holdMs());
  }
}
