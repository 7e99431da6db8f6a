package io.sluice.explore;

import io.sluice.explore.mutant.Defect;
import io.sluice.explore.run.Breach;
import io.sluice.explore.run.Cut;
import io.sluice.explore.run.Run;
import io.sluice.explore.run.Scenario;
import io.sluice.explore.store.Fault;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Runs one seed after the other, on all cores, until a breach is found or the limits are reached.
 */
final class Explorer {
  private static final int HISTORY_MAX = 150;

  /** The limits: at least this many seeds, and at least this much time. */
  record Enough(long seedsMin, long seedsMax, long nanos) {}

  /** A seed that failed. */
  record Failed(long seed, Breach breach) {
    @Override
    public String toString() {
      return "seed %d: %s: %s".formatted(seed, breach.rule(), breach.detail());
    }
  }

  /** The result, with the lowest seed that failed. */
  record Report(
      long seeds,
      long steps,
      long virtualSeconds,
      Map<Fault, Integer> faults,
      Map<String, Integer> sights,
      long granted,
      long refused,
      long epochs,
      double seconds,
      Optional<Failed> failed) {
    @Override
    public String toString() {
      return "%,d seeds, %,d steps (%,.0f a second), %,d s of virtual time, faults %s, seen %s, %,d orders, %,d refusals, %,d epochs"
          .formatted(
              seeds,
              steps,
              steps / seconds,
              virtualSeconds,
              faults,
              sights,
              granted,
              refused,
              epochs);
    }
  }

  private final Supplier<Defect> defect;
  private final LongFunction<Scenario> scenarios;
  private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
  private final Map<String, Integer> sights = new TreeMap<>();
  private long seeds;
  private long steps;
  private long virtualMs;
  private long granted;
  private long refused;
  private long epochs;
  private Optional<Failed> failed = Optional.empty();

  Explorer(Supplier<Defect> defect, LongFunction<Scenario> scenarios) {
    this.defect = defect;
    this.scenarios = scenarios;
  }

  /** Explores the real code without a planted defect. */
  static Explorer ofTheRealCode() {
    return new Explorer(() -> Defect.NONE, Scenario::of);
  }

  Report explore(long firstSeed, Enough enough) {
    long startNanos = System.nanoTime();
    AtomicLong next = new AtomicLong(firstSeed);
    int threads = Runtime.getRuntime().availableProcessors();
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Void>> work =
          IntStream.range(0, threads)
              .<Callable<Void>>mapToObj(
                  i ->
                      () -> {
                        while (goesOn(next.get() - firstSeed, startNanos, enough)) {
                          add(next.getAndIncrement());
                        }
                        return null;
                      })
              .toList();
      for (var done : workers.invokeAll(work)) {
        done.get();
      }
    } catch (InterruptedException | ExecutionException thrown) {
      throw new IllegalStateException(thrown);
    } finally {
      workers.shutdownNow();
    }
    return report((System.nanoTime() - startNanos) / 1e9);
  }

  private synchronized boolean goesOn(long done, long startNanos, Enough enough) {
    boolean timeLeft = System.nanoTime() - startNanos < enough.nanos();
    return failed.isEmpty() && done < enough.seedsMax() && (timeLeft || done < enough.seedsMin());
  }

  private void add(long seed) {
    Scenario scenario = scenarios.apply(seed);
    Run.Outcome outcome = Run.of(scenario, Cut.none(scenario), defect.get(), false);
    synchronized (this) {
      seeds++;
      steps += outcome.steps();
      virtualMs += outcome.endedAtMs();
      granted += outcome.granted();
      refused += outcome.refused();
      epochs += outcome.epochs();
      outcome.faults().forEach((fault, count) -> faults.merge(fault, count, Integer::sum));
      outcome.sights().forEach((sight, count) -> sights.merge(sight, count, Integer::sum));
      if (outcome.breach() != null && failed.filter(lower -> lower.seed() < seed).isEmpty()) {
        failed = Optional.of(new Failed(seed, outcome.breach()));
      }
    }
  }

  private Report report(double seconds) {
    return new Report(
        seeds, steps, virtualMs / 1_000, faults, sights, granted, refused, epochs, seconds, failed);
  }

  /** Replays a seed, shrinks it where it fails, and describes what happened. */
  String explain(long seed) {
    Scenario scenario = scenarios.apply(seed);
    Run.Outcome outcome = Run.of(scenario, Cut.none(scenario), defect.get(), true);
    if (outcome.breach() == null) {
      return "Seed " + seed + " keeps all promises:\n" + String.join("\n", outcome.trace().lines());
    }
    Shrinker.Shrunk shrunk = Shrinker.shrink(scenario, defect, outcome);
    Run.Outcome smallest = shrunk.outcome();
    Breach breach = smallest.breach();
    List<String> history = smallest.trace().historyOf(breach.detail());
    List<String> actors =
        smallest.actors().stream().filter(a -> !shrunk.cut().without().contains(a)).toList();
    int from = Math.max(0, history.size() - HISTORY_MAX);
    return """
    Seed %d breaks a promise: %s
      %s
    It still fails with these of %d faults: %s
    and these of %d actors: %s, without faults from %d ms on (shrunk in %d runs).
    %s
    %s
    """
        .formatted(
            seed,
            breach.rule(),
            smallest.trace().shortened(breach.detail()),
            outcome.injected().size(),
            smallest.injected(),
            smallest.actors().size(),
            actors,
            shrunk.cut().quietAtMs(),
            shrunk.runs(),
            scenario,
            String.join("\n", history.subList(from, history.size())));
  }
}
