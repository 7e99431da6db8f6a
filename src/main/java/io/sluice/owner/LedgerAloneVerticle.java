package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.async.LoopContext.Timers;
import io.sluice.async.StallDetector;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Ledger;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * All that is done in the background if there is neither Redis nor an order log, and so no owner.
 * Each instance does it; the locks in the ledger let them do nothing twice.
 */
public final class LedgerAloneVerticle extends VerticleBase {
  static final Duration EVENTS_EVERY = Duration.ofMillis(200);
  static final Duration PRESENCE_EVERY = Duration.ofSeconds(1);
  static final Duration ARCHIVE_EVERY = Duration.ofSeconds(2);

  /** Outbox rows of up to 500 events, which one transaction numbers. */
  static final int EVENT_ROWS_MAX = 8;

  private final Ledger ledger;
  private final DirectLedger direct;
  private final Supplier<Future<?>> presence;
  private final ReservationConfig config;
  private final Duration endAfter;
  private final Duration auditEvery;
  private final BackgroundTasks tasks = new BackgroundTasks();

  /**
   * @param presence renews the row of this instance in the ledger
   * @param endAfter the time from a SKU's closes_at to its end; zero if it does not end by itself
   */
  public LedgerAloneVerticle(
      Ledger ledger,
      DirectLedger direct,
      Supplier<Future<?>> presence,
      ReservationConfig config,
      Duration endAfter,
      Duration auditEvery) {
    this.ledger = ledger;
    this.direct = direct;
    this.presence = presence;
    this.config = config;
    this.endAfter = endAfter;
    this.auditEvery = auditEvery;
  }

  @Override
  public Future<?> start() {
    Timers timers = Timers.of(vertx);
    Duration scanEvery = Duration.ofMillis(config.timeoutScanMs());
    new DirectDuties(ledger, direct, tasks, timers, scanEvery, endAfter).start(vertx, auditEvery);
    Archiver archiver = new Archiver(ledger, tasks, timers);
    BackgroundTask events = tasks.make("direct events", () -> direct.numberEvents(EVENT_ROWS_MAX));
    BackgroundTask seen = tasks.make("presence", () -> presence.get().map(false));
    every(PRESENCE_EVERY, seen::wake);
    every(EVENTS_EVERY, events::wake);
    every(ARCHIVE_EVERY, archiver::wake);
    every(StallDetector.TICK, tasks::tick);
    return Future.succeededFuture();
  }

  private void every(Duration period, Runnable duty) {
    vertx.setPeriodic(period.toMillis(), id -> duty.run());
  }

  @Override
  public Future<?> stop() {
    return tasks.stop();
  }
}
