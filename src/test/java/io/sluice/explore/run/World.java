package io.sluice.explore.run;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.explore.actor.Instances;
import io.sluice.explore.actor.Node;
import io.sluice.explore.check.AnswerLog;
import io.sluice.explore.check.Drift;
import io.sluice.explore.check.Invariants;
import io.sluice.explore.check.Restored;
import io.sluice.explore.mutant.Defect;
import io.sluice.explore.store.Fault;
import io.sluice.explore.store.Faults;
import io.sluice.explore.store.Op;
import io.sluice.explore.store.Redis;
import io.sluice.explore.store.Wire;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.metrics.Meters;
import io.sluice.model.OrderTokens;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.stock.StockUnavailableException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** The state of a run: time, stores, network, faults, and the answers given so far. */
public final class World {
  public static final String OPERATOR = "operator";
  public static final long START_MS = 1_700_000_000_000L;
  private static final long RESTORES_MAX_US = 4_000_000;
  private static final Meters METERS = new Meters(new CompositeMeterRegistry());
  private final Scenario scenario;
  private final Cut cut;
  private final Defect defect;
  private final Chance chance;
  private final Scheduler scheduler = new Scheduler();
  private final Trace trace;
  private final Faults faults;
  private final Redis redis;
  private final InMemoryLedger ledger;
  private final InMemoryOrderLog log = new InMemoryOrderLog();
  private final InMemoryEvents events = new InMemoryEvents();
  private final OrderTokens tokens = new OrderTokens(new byte[16]);
  private final Map<Op.Store, Long> awayUntilUs = new EnumMap<>(Op.Store.class);
  private final AnswerLog told = new AnswerLog();
  private final Coverage sights = new Coverage();
  private final Wire wire = new Wire(this);
  private final Moments moments = new Moments(scheduler);
  private final Drift drift = new Drift(this);
  private final Instances instances;
  private final Invariants invariants;
  private final Restored restored;
  private Breach breach;

  World(Scenario scenario, Cut cut, Defect defect, boolean traced) {
    this.scenario = scenario;
    this.cut = cut;
    this.defect = defect;
    this.chance = new Chance(scenario.seed());
    this.trace = new Trace(traced);
    this.faults = new Faults(scenario, cut, scheduler);
    this.redis = new Redis(scheduler, chance, scenario, cut, defect);
    this.ledger =
        new InMemoryLedger(
            scenario.partitions(), () -> Instant.ofEpochMilli(START_MS + scheduler.nowMs()));
    this.instances = new Instances(this, scenario.partitions());
    this.invariants = new Invariants(this);
    this.restored = new Restored(this);
  }

  public Scenario scenario() {
    return scenario;
  }

  Cut cut() {
    return cut;
  }

  public Chance chance() {
    return chance;
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  public Trace trace() {
    return trace;
  }

  public Faults faults() {
    return faults;
  }

  public Redis redis() {
    return redis;
  }

  public InMemoryLedger ledger() {
    return ledger;
  }

  public InMemoryOrderLog log() {
    return log;
  }

  public InMemoryEvents events() {
    return events;
  }

  public OrderTokens tokens() {
    return tokens;
  }

  public Moments moments() {
    return moments;
  }

  public Drift drift() {
    return drift;
  }

  /** Whether the faults have ended. */
  public boolean isQuiet() {
    return scheduler.nowMs() >= cut.quietAtMs();
  }

  int lateUnderWay() {
    return wire.lateUnderWay();
  }

  public Coverage sights() {
    return sights;
  }

  public AnswerLog told() {
    return told;
  }

  public Instances instances() {
    return instances;
  }

  public Invariants invariants() {
    return invariants;
  }

  /** What a ledger that was put back to a backup has lost. */
  public Restored restored() {
    return restored;
  }

  /** Puts the ledger back to a backup: nobody is connected to it any more, or for a while. */
  public void restoreLedger(SplittableRandom draws) {
    say(() -> "*** the ledger is restored");
    sights.saw("the ledger is restored");
    restored.restore();
    wire.disconnectLedger();
    if (draws.nextBoolean()) {
      awayUntilUs.put(Op.Store.LEDGER, scheduler.nowUs() + draws.nextLong(RESTORES_MAX_US));
    }
    invariants.check();
  }

  public Meters meters() {
    return METERS;
  }

  public ReservationConfig ownerConfig() {
    return scenario.config(scenario.deadlineMs());
  }

  public ReservationConfig apiConfig() {
    return scenario.config(defect.apiDeadlineMs(scenario.deadlineMs()));
  }

  public Defect defect() {
    return defect;
  }

  /** The stores as this node reaches them. */
  public NodeStores storesOf(Node node) {
    return new NodeStores(this, wire, ledger, log, events, node);
  }

  // ---- faults

  public boolean isAway(Op.Store store) {
    return awayUntilUs.getOrDefault(store, 0L) > scheduler.nowUs();
  }

  public RuntimeException unavailable(Op.Store store, String why) {
    return switch (store) {
      case STOCK -> new StockUnavailableException(why, null);
      case LEDGER, SKUS, SALES ->
          new LedgerUnavailableException(why, new IllegalStateException(why));
      case LOG, EVENTS -> new LogUnavailableException(why);
    };
  }

  /**
   * Applies the part of a fault that is not about the call itself; the fault may be null or of
   * another kind.
   */
  public void breakAround(Fault fault, Op op, SplittableRandom draws) {
    if (fault == null) {
      return;
    }
    switch (fault) {
      case REDIS_EMPTY, REDIS_OLD, REDIS_SAME, CLOCK_STEPPED, PRIMARY_CUT_OFF -> {
        say(() -> "*** " + fault);
        redis.meet(fault, draws);
      }
      case MOVE -> instances.group().move(draws);
      case AWAY -> {
        say(() -> "*** " + op.store().database() + " is down");
        long forUs = 200_000 + draws.nextLong(4_000_000);
        awayUntilUs.put(op.store().database(), scheduler.nowUs() + forUs);
      }
      default -> {}
    }
  }

  /**
   * Pauses a node for a while, or until that many calls have changed something: the pending work of
   * a paused process matters most in the middle of the others' work.
   */
  public void pause(Node node, SplittableRandom draws) {
    if (node.isPaused() || node.isDead()) {
      return;
    }
    long forUs = draws.nextInt(3) == 0 ? draws.nextLong(12_000_000) : draws.nextLong(2_500_000);
    boolean counted = draws.nextBoolean();
    long atLeastUs = counted ? draws.nextLong(4_000_000) : forUs;
    say(() -> "*** " + node + " is paused");
    node.pause();
    instances.paused(node, counted ? 8_000_000 : forUs);
    scheduler.after(
        atLeastUs,
        () -> {
          Runnable goOn =
              () -> {
                if (node.isPaused()) {
                  say(() -> "*** " + node + " goes on");
                  node.goOn();
                }
              };
          if (counted) {
            moments.after(1 + draws.nextInt(25), 8_000_000 - atLeastUs, goOn);
          } else {
            goOn.run();
          }
        });
  }

  public void crash(Node node) {
    say(() -> "*** " + node + " crashes");
    node.crash();
    instances.crashed(node);
  }

  public void cutNextPublicationShort() {
    events.next(InMemoryEvents.Fate.CUT_SHORT);
  }

  // ---- events

  /** Called after each completed call. */
  public void happened(Op op, Object[] arguments, Object answer) {
    if (op.isRead()) {
      return;
    }
    restored.happened(op, arguments, answer);
    invariants.happened(op, arguments, answer);
    if (op.label().equals("ledger.correct")) {
      drift.corrected((Correction) arguments[0]);
    } else if (op.label().equals("ledger.reported")) {
      drift.reported((int) arguments[0], (String) arguments[1]);
    }
    moments.passed();
    if (op.kind() == Op.Kind.PUBLISH) {
      instances.published();
    } else if (op.kind() != Op.Kind.APPEND) {
      if (op.store() == Op.Store.STOCK) {
        redis.wrote();
      }
      invariants.check();
    }
  }

  public void say(Supplier<String> text) {
    trace.add(scheduler.nowUs(), true, text);
  }

  /** Records a breach; the first one ends the run. */
  public void breach(String rule, String detail) {
    breach(new Breach(rule, detail));
  }

  /** Records that code threw what no port names. */
  public void thrown(Throwable thrown) {
    breach(Breach.thrown(thrown));
  }

  private void breach(Breach found) {
    if (breach == null) {
      breach = found;
      say(() -> "!!! " + found.rule() + ": " + found.detail());
    }
  }

  Breach breach() {
    return breach;
  }
}
