package io.sluice;

import io.sluice.admin.Readiness;
import io.sluice.ledger.Ledger;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/**
 * Tells {@link Readiness} which parts of the running service are up. It can grant while Redis
 * answers and a grant can be made durable: by the order log or, within the budget of direct
 * bookings, by the ledger. A ledger that is away alone stops no grant.
 */
final class PartsWatch {
  static final Duration LOOK_EVERY = Duration.ofMillis(250);
  static final Duration ASK_LEDGER_EVERY = Duration.ofSeconds(1);

  private static final String MYSQL = "mysql";
  private static final String KAFKA = "kafka";
  private static final String REDIS = "redis";
  private static final String SERVICE = "service";

  private final Vertx vertx;
  private final Readiness readiness;
  private final Connections connections;
  private final Assembly assembly;
  private final Ledger ledger;
  private long looks;
  private long questions;
  private boolean asking;

  PartsWatch(Vertx vertx, Readiness readiness, Connections connections, Assembly assembly) {
    this.vertx = vertx;
    this.readiness = readiness;
    this.connections = connections;
    this.assembly = assembly;
    this.ledger = connections.ledger();
  }

  /** {@code booksDirectly} says whether grants may go past the order log. */
  static Readiness readiness(boolean booksDirectly) {
    return new Readiness(
        List.of(MYSQL, KAFKA, REDIS, SERVICE),
        up ->
            up.containsAll(List.of(REDIS, SERVICE))
                && (up.contains(KAFKA) || (booksDirectly && up.contains(MYSQL))));
  }

  void start() {
    looks = vertx.setPeriodic(LOOK_EVERY.toMillis(), id -> look());
    questions = vertx.setPeriodic(ASK_LEDGER_EVERY.toMillis(), id -> askLedger());
    // Redis was there, but the event loops have yet to connect: only then can they grant.
    look();
    readiness.report(SERVICE, true, "grants");
  }

  Future<Void> stop() {
    vertx.cancelTimer(looks);
    vertx.cancelTimer(questions);
    readiness.report(SERVICE, false, "shutting down");
    return Future.succeededFuture();
  }

  private void look() {
    boolean redis = assembly.isRedisUp();
    readiness.report(REDIS, redis, redis ? "answers" : "does not answer");
    boolean log = connections.isLogUp();
    readiness.report(KAFKA, log, log ? "takes records" : "does not take records");
  }

  private void askLedger() {
    if (asking) {
      return;
    }
    asking = true;
    ledger
        .nowMs()
        .onComplete(
            answer -> {
              asking = false;
              readiness.report(
                  MYSQL, answer.succeeded(), answer.succeeded() ? "answers" : "does not answer");
            });
  }
}
