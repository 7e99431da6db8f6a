package io.sluice;

import io.sluice.ledger.SaleCounts;
import io.sluice.ledger.mysql.MySqlSaleCounts;
import io.sluice.reservation.tally.SaleTallies;
import io.sluice.reservation.tally.TallyWriter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;

/** Counts what happens in sales on this instance, and writes it until it is closed. */
final class SaleCounting {
  private final Vertx vertx;
  private final Context home;
  private final SaleCounts ledger;
  private final SaleTallies tallies = new SaleTallies();
  private final TallyWriter writer;
  private final long timer;

  SaleCounting(Vertx vertx, Connections connections) {
    this.vertx = vertx;
    this.home = vertx.getOrCreateContext();
    this.ledger = connections.onLookups(SaleCounts.class, MySqlSaleCounts::new);
    this.writer =
        new TallyWriter(ledger, tallies, connections.presence().id(), InstantSource.system());
    this.timer =
        vertx.setPeriodic(
            TallyWriter.TICK.toMillis(), tick -> home.runOnContext(now -> writer.tick()));
  }

  SaleCounts ledger() {
    return ledger;
  }

  SaleTallies tallies() {
    return tallies;
  }

  /** Writes what is left, if that is quick; called after the last answer to a buyer. */
  Future<Void> close() {
    vertx.cancelTimer(timer);
    return Future.future(closed -> home.runOnContext(last -> writer.close().onComplete(closed)));
  }
}
