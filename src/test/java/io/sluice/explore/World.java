package io.sluice.explore;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.sluice.config.ReservationConfig;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.Reconciliation;
import io.sluice.ledger.SkuLedger;
import io.sluice.metrics.Meters;
import io.sluice.model.OrderTokens;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** All there is in a run: time, stores, network, faults, and what was promised to whom. */
final class World {
  static final String OPERATOR = "operator";
  static final int PARTITION = 0;
  static final int PARTITIONS = 1;
  static final long START_MS = 1_700_000_000_000L;
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
  private Breach breach;

  World(Scenario scenario, Cut cut, Defect defect, boolean traced) {
    this.scenario = scenario;
    this.cut = cut;
    this.defect = defect;
    this.chance = new Chance(scenario.seed());
    this.trace = new Trace(traced);
    this.faults = new Faults(scenario, cut, scheduler);
    this.redis = new Redis(scheduler, chance, defect.showsRunId());
    this.ledger =
        new InMemoryLedger(PARTITIONS, () -> Instant.ofEpochMilli(START_MS + scheduler.nowMs()));
    this.instances = new Instances(this);
    this.invariants = new Invariants(this);
  }

  Scenario scenario() {
    return scenario;
  }

  Cut cut() {
    return cut;
  }

  Chance chance() {
    return chance;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Trace trace() {
    return trace;
  }

  Faults faults() {
    return faults;
  }

  Redis redis() {
    return redis;
  }

  InMemoryLedger ledger() {
    return ledger;
  }

  InMemoryOrderLog log() {
    return log;
  }

  InMemoryEvents events() {
    return events;
  }

  OrderTokens tokens() {
    return tokens;
  }

  Moments moments() {
    return moments;
  }

  Drift drift() {
    return drift;
  }

  /** Whether nothing goes wrong any more. */
  boolean isQuiet() {
    return scheduler.nowMs() >= cut.quietAtMs();
  }

  int lateUnderWay() {
    return wire.lateUnderWay();
  }

  Coverage sights() {
    return sights;
  }

  AnswerLog told() {
    return told;
  }

  Instances instances() {
    return instances;
  }

  Invariants invariants() {
    return invariants;
  }

  Meters meters() {
    return METERS;
  }

  ReservationConfig ownerConfig() {
    return scenario.config(scenario.deadlineMs());
  }

  ReservationConfig apiConfig() {
    return scenario.config(defect.apiDeadlineMs(scenario.deadlineMs()));
  }

  Defect defect() {
    return defect;
  }

  // ---- the stores, as a node reaches them

  StockStore stockFor(Node node) {
    StockStore below = defect.stockBelow(redis.stock(), this);
    return defect.stockAbove(SmallPages.of(wire.through(StockStore.class, below, node)));
  }

  Ledger ledgerFor(Node node) {
    Ledger below = defect.ledgerBelow(ledger, this);
    return defect.ledgerAbove(
        SmallPages.of(wire.through(Ledger.class, below, node)), stockFor(node));
  }

  SkuLedger skusFor(Node node) {
    return wire.through(SkuLedger.class, ledger, node);
  }

  OrderLog logFor(Node node) {
    return wire.through(OrderLog.class, new LogAsSeen(this, log, node), node);
  }

  EventPublisher eventsFor(Node node) {
    return wire.through(EventPublisher.class, events, node);
  }

  // ---- what goes wrong

  boolean isAway(Op.Store store) {
    return awayUntilUs.getOrDefault(store, 0L) > scheduler.nowUs();
  }

  RuntimeException unavailable(Op.Store store, String why) {
    return switch (store) {
      case STOCK -> new StockUnavailableException(why, null);
      case LEDGER, SKUS -> new LedgerUnavailableException(why, new IllegalStateException(why));
      case LOG, EVENTS -> new LogUnavailableException(why);
    };
  }

  /** What breaks apart from the call itself; the fault may be null or not of that kind. */
  void breakAround(Fault fault, Op op, SplittableRandom draws) {
    if (fault == null) {
      return;
    }
    switch (fault) {
      case REDIS_EMPTY, REDIS_OLD, REDIS_SAME, CLOCK_STEPPED -> {
        say(() -> "*** " + fault);
        redis.meet(fault, draws);
      }
      case MOVE -> instances.group().move(draws);
      case AWAY -> {
        say(() -> "*** " + op.store().database() + " is away");
        long forUs = 200_000 + draws.nextLong(4_000_000);
        awayUntilUs.put(op.store().database(), scheduler.nowUs() + forUs);
      }
      default -> {}
    }
  }

  /**
   * Until a while has passed, or so many calls have changed something: what a process that was
   * paused still wants to do is most interesting in the middle of what others do.
   */
  void pause(Node node, SplittableRandom draws) {
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

  void crash(Node node) {
    say(() -> "*** " + node + " crashes");
    node.crash();
    instances.crashed(node);
  }

  void cutNextPublicationShort() {
    events.next(InMemoryEvents.Fate.CUT_SHORT);
  }

  // ---- what happens

  /** A call was done. */
  void happened(Op op, Object[] arguments) {
    if (op.isRead()) {
      return;
    }
    if (op.label().equals("ledger.correct")) {
      drift.corrected((Reconciliation.Correction) arguments[0]);
    } else if (op.label().equals("ledger.reported")) {
      drift.reported((String) arguments[1]);
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

  void say(Supplier<String> text) {
    trace.add(scheduler.nowUs(), true, text);
  }

  /** The first breach ends the run. */
  void breach(String rule, String detail) {
    if (breach == null) {
      breach = new Breach(rule, detail);
      say(() -> "!!! " + rule + ": " + detail);
    }
  }

  Breach breach() {
    return breach;
  }
}
