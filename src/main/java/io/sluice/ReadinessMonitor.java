package io.sluice;

import io.sluice.admin.Readiness;
import io.sluice.alarm.Part;
import io.sluice.connect.ConnectFault;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reports to {@link Readiness} which parts of the running service are up. An instance can grant
 * while Redis answers and a grant can be made durable: in the order log or, within the budget of
 * direct bookings, in the ledger. An unavailable ledger alone stops no grant. A new instance is not
 * ready before the partitions have owners, since a SKU that is created would have to wait for one.
 */
final class ReadinessMonitor {
  static final Duration LOOK_EVERY = Duration.ofMillis(200);
  static final Duration ASK_LEDGER_EVERY = Duration.ofSeconds(1);

  /** A ledger that takes longer to tell the time does not answer. */
  static final Duration LEDGER_ANSWERS_WITHIN = Duration.ofSeconds(3);

  private static final String MYSQL = "mysql";
  private static final String KAFKA = "kafka";
  private static final String REDIS = "redis";
  private static final String SERVICE = "service";
  private static final String OWNERS = "owners";

  private final Vertx vertx;
  private final Readiness readiness;
  private final Connections connections;
  private final Assembly assembly;
  private final BooleanSupplier ownersSettled;
  private final HeartbeatMonitor heartbeats;
  private final ClockWatch clocks;
  private long looks;
  private long questions;
  private final PartWatch parts = new PartWatch(System::nanoTime);
  private boolean asking;
  private long askedAtNanos;

  /**
   * @param ownersSettled whether the partitions have working owners
   */
  ReadinessMonitor(
      Vertx vertx,
      Readiness readiness,
      Connections connections,
      Assembly assembly,
      BooleanSupplier ownersSettled,
      HeartbeatMonitor heartbeats) {
    this.vertx = vertx;
    this.readiness = readiness;
    this.connections = connections;
    this.assembly = assembly;
    this.ownersSettled = ownersSettled;
    this.heartbeats = heartbeats;
    this.clocks = assembly.clocks();
  }

  /**
   * @param booksDirectly whether grants may be booked past the order log
   */
  static Readiness readiness(boolean booksDirectly) {
    return new Readiness(
        List.of(MYSQL, KAFKA, REDIS, SERVICE, OWNERS),
        up ->
            up.containsAll(List.of(REDIS, SERVICE, OWNERS))
                && (up.contains(KAFKA) || (booksDirectly && up.contains(MYSQL))));
  }

  /** If there is neither Redis nor an order log, the ledger is all that is needed. */
  static Readiness readinessOfLedger() {
    return new Readiness(List.of(MYSQL, SERVICE));
  }

  void start() {
    looks = vertx.setPeriodic(LOOK_EVERY.toMillis(), id -> look());
    questions = vertx.setPeriodic(ASK_LEDGER_EVERY.toMillis(), id -> askLedger());
    // Redis was reachable before, but only event loops that are connected to it can grant.
    look();
    readiness.report(SERVICE, true, "grants");
  }

  Future<Void> stop() {
    vertx.cancelTimer(looks);
    vertx.cancelTimer(questions);
    parts.stop();
    readiness.report(SERVICE, false, "shutting down");
    return Future.succeededFuture();
  }

  private void look() {
    if (asking && System.nanoTime() - askedAtNanos > LEDGER_ANSWERS_WITHIN.toNanos()) {
      ledger(false);
    }
    if (!connections.hasLog()) {
      return;
    }
    boolean redis = assembly.stocks().areUp();
    parts.note(Part.STOCK, redis || isRefused(assembly.stocks().outage()));
    parts.note(Part.LOG, connections.isLogUp());
    readiness.report(REDIS, redis, redisDetail(redis));
    readiness.report(KAFKA, connections.isLogUp(), logDetail());
    boolean settled = ownersSettled.getAsBoolean();
    heartbeats.look();
    readiness.report(OWNERS, settled, settled ? ownersDetail() : "are taking over");
  }

  /** A Redis that answers with a refusal is there, and has alarms of its own. */
  private static boolean isRefused(String outage) {
    return Stream.of(
            ConnectFault.UNFIT,
            ConnectFault.OTHER_LEDGER,
            ConnectFault.LOGIN_REFUSED,
            ConnectFault.PERMISSION_MISSING)
        .anyMatch(fault -> outage.equals(fault.text()));
  }

  /** Owners that have taken over stay so, but need all parts to work. */
  private static String ownersDetail() {
    String away =
        Stream.of(Part.values())
            .filter(Part::isAway)
            .map(Part::word)
            .collect(Collectors.joining(" and the "));
    return away.isEmpty() ? "have taken over" : "wait for the " + away + ", which is away";
  }

  /** One primary of a cluster that is lost takes its partitions away, and no others. */
  private String redisDetail(boolean up) {
    String outage = assembly.stocks().outage();
    String word = up ? "answers" : "does not answer";
    return outage.isEmpty() ? word : word + (up ? ", but " : ": ") + outage;
  }

  /** Names partitions that take no records; the others can still be granted. */
  private String logDetail() {
    if (!connections.isLogUp()) {
      return "does not take records";
    }
    List<Integer> out = connections.logPartitionsOut();
    String takes = out.isEmpty() ? "takes records" : "takes records, except in partitions " + out;
    List<String> weak = connections.logWeaknesses();
    return weak.isEmpty()
        ? takes
        : takes + "; less safe than a sale needs: " + String.join("; ", weak);
  }

  private void askLedger() {
    if (asking) {
      return;
    }
    asking = true;
    askedAtNanos = System.nanoTime();
    clocks
        .look()
        .onComplete(
            answer -> {
              asking = false;
              ledger(answer.succeeded());
            });
  }

  private void ledger(boolean up) {
    parts.note(Part.LEDGER, up);
    readiness.report(MYSQL, up, up ? "answers" : "does not answer");
  }
}
