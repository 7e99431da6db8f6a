package io.sluice.explore.store;

import io.sluice.explore.run.Chance;
import io.sluice.explore.run.Scheduler;
import io.sluice.explore.run.World;
import io.sluice.stock.InMemoryData;
import io.sluice.stock.InMemoryStock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * The Redis of a run: a process that can be replaced by another one, with all, old or no data, and
 * with its own clock.
 */
public final class Redis {
  private static final int SAVED_MAX = 6;
  private static final int SAVED_PERCENT = 8;

  /** Maximum skew of clocks that are synchronised. */
  public static final int SKEW_MAX_MS = 150;

  private static final int STEP_MIN_MS = 60_000;
  private static final int STEP_MAX_MS = 3_600_000;
  private static final int APART_MS = 600_000;

  private final InMemoryStock stock;
  private final Chance chance;
  private final boolean showsRunId;
  private final Deque<InMemoryData> saved = new ArrayDeque<>();
  private long skewMs;
  private long stepMs;
  private int process = 1;
  private int writes;

  /**
   * Makes the first process.
   *
   * @param showsRunId false for a planted defect: processes cannot be told apart
   */
  public Redis(Scheduler scheduler, Chance chance, boolean showsRunId) {
    this.stock = new InMemoryStock(() -> clock(scheduler), runId(1));
    this.chance = chance;
    SplittableRandom draws = chance.of("clock", 0);
    if (draws.nextInt(6) == 0) {
      this.stepMs = draws.nextBoolean() ? APART_MS : -APART_MS;
    }
    this.showsRunId = showsRunId;
  }

  private Instant clock(Scheduler scheduler) {
    return Instant.ofEpochMilli(World.START_MS + scheduler.nowMs() + skewMs + stepMs);
  }

  public InMemoryStock stock() {
    return stock;
  }

  /** Counts processes; connections to an earlier one are dead. */
  int process() {
    return process;
  }

  /**
   * Called after each write; some of them are saved as states to which an older copy may return.
   */
  public void wrote() {
    SplittableRandom draws = chance.of("save", ++writes);
    if (draws.nextInt(100) < SAVED_PERCENT) {
      saved.add(stock.save());
      if (saved.size() > SAVED_MAX) {
        saved.remove();
      }
    }
  }

  public void meet(Fault fault, SplittableRandom draws) {
    if (fault == Fault.CLOCK_STEPPED) {
      stepClock(draws);
    } else {
      replace(fault, draws);
    }
  }

  /** Sets the clock of the running process, or corrects it where it was set before. */
  private void stepClock(SplittableRandom draws) {
    if (stepMs != 0 && draws.nextBoolean()) {
      stepMs = 0;
      return;
    }
    long by = draws.nextInt(STEP_MIN_MS, STEP_MAX_MS);
    stepMs = draws.nextBoolean() ? by : -by;
  }

  private void replace(Fault how, SplittableRandom draws) {
    process++;
    skewMs = draws.nextInt(-SKEW_MAX_MS, SKEW_MAX_MS);
    if (how == Fault.REDIS_EMPTY || (how == Fault.REDIS_OLD && saved.isEmpty())) {
      stock.wipe();
    } else if (how == Fault.REDIS_OLD) {
      stock.restore(new ArrayList<>(saved).get(draws.nextInt(saved.size())));
    }
    if (showsRunId) {
      stock.restart(runId(process));
    }
  }

  private static String runId(int process) {
    return "run" + process;
  }
}
