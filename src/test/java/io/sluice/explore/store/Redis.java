package io.sluice.explore.store;

import io.sluice.explore.actor.Node;
import io.sluice.explore.mutant.Defect;
import io.sluice.explore.run.Chance;
import io.sluice.explore.run.Cut;
import io.sluice.explore.run.Scenario;
import io.sluice.explore.run.Scheduler;
import io.sluice.explore.run.World;
import io.sluice.model.BucketId;
import io.sluice.stock.InMemoryData;
import io.sluice.stock.InMemoryStock;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.testkit.Ports;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The Redis of a run: a process that can be replaced by another one, with all, old or no data, and
 * with its own clock. Where it has a replica, that can be promoted while some nodes still reach the
 * former primary.
 */
public final class Redis {
  private static final int SAVED_MAX = 6;
  private static final int SAVED_PERCENT = 8;

  /** Maximum skew of clocks that are synchronised. */
  public static final int SKEW_MAX_MS = 150;

  private static final int STEP_MIN_MS = 60_000;
  private static final int STEP_MAX_MS = 3_600_000;
  private static final int APART_MS = 600_000;

  private final Scheduler scheduler;
  private final Chance chance;
  private final Scenario scenario;
  private final Cut cut;
  private final Defect defect;
  private final Deque<InMemoryData> saved = new ArrayDeque<>();
  private InMemoryStock stock;
  private CutOff former;
  private long skewMs;
  private long stepMs;
  private int process = 1;
  private int writes;

  /** Makes the first process. */
  public Redis(Scheduler scheduler, Chance chance, Scenario scenario, Cut cut, Defect defect) {
    this.scheduler = scheduler;
    this.chance = chance;
    this.scenario = scenario;
    this.cut = cut;
    this.defect = defect;
    this.stock = started();
    SplittableRandom draws = chance.of("clock", 0);
    if (draws.nextInt(6) == 0) {
      this.stepMs = draws.nextBoolean() ? APART_MS : -APART_MS;
    }
  }

  private InMemoryStock started() {
    InMemoryStock started = new InMemoryStock(this::clock, runId());
    started.replicate(Duration.ofMillis(scenario.replicaLagMs()));
    return started;
  }

  private Instant clock() {
    return Instant.ofEpochMilli(World.START_MS + scheduler.nowMs() + skewMs + stepMs);
  }

  /** The primary, whoever reaches it. */
  public InMemoryStock stock() {
    return stock;
  }

  /** The one that this node reaches, whenever it calls. */
  public StockStore reachedBy(Node node) {
    return Ports.answering(
        StockStore.class,
        (proxy, method, arguments) ->
            isCutOff(node)
                ? former.call(method, arguments, scheduler.nowUs())
                : Intercept.invoke(stock, method, arguments));
  }

  private boolean isCutOff(Node node) {
    return hasFormer() && former.isReachedBy(node, scheduler.nowUs());
  }

  /** Until the faults have ended. */
  private boolean hasFormer() {
    return former != null && scheduler.nowMs() < cut.quietAtMs();
  }

  /** What a former primary shows that some node may still reach; null where there is none. */
  public Snapshot asCutOff(BucketId id) {
    return hasFormer() && former.mayBeReached(scheduler.nowUs())
        ? former.stock().snapshot(id, List.of(), 0).result()
        : null;
  }

  /** Counts processes; connections to another one than this are dead. */
  int processOf(Node node) {
    return isCutOff(node) ? former.process() : process;
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
    switch (fault) {
      case CLOCK_STEPPED -> stepClock(draws);
      case PRIMARY_CUT_OFF -> promote(draws);
      default -> replace(fault, draws);
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
      stock.restore(anySaved(draws));
    }
    stock.restart(runId());
  }

  private void promote(SplittableRandom draws) {
    former = new CutOff(stock, process, scheduler.nowUs(), scenario.replicaLagMs(), chance);
    process++;
    InMemoryData known = saved.isEmpty() || draws.nextBoolean() ? stock.save() : anySaved(draws);
    stock = started();
    stock.restore(known);
  }

  private InMemoryData anySaved(SplittableRandom draws) {
    return new ArrayList<>(saved).get(draws.nextInt(saved.size()));
  }

  /** With a planted defect processes cannot be told apart. */
  private String runId() {
    return "run" + (defect.showsRunId() ? process : 1);
  }
}
