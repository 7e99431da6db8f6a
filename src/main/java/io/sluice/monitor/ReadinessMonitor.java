package io.sluice.monitor;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to {@link Readiness} which parts of the running service are up. An instance can grant
 * while Redis answers and a grant can be made durable: in the order log or, within the budget of
 * bookings past the log, in the ledger. An unavailable ledger alone stops no grant. A new instance
 * is not ready before the partitions have owners, since a SKU that is created would have to wait
 * for one.
 */
public final class ReadinessMonitor {
  private static final Logger log = LoggerFactory.getLogger(ReadinessMonitor.class);

  static final Duration LOOK_EVERY = Duration.ofMillis(200);
  static final Duration ASK_LEDGER_EVERY = Duration.ofSeconds(1);

  /** A ledger that takes longer to tell the time does not answer. */
  static final Duration LEDGER_ANSWERS_WITHIN = Duration.ofSeconds(3);

  private static final String MYSQL = "mysql";
  private static final String KAFKA = "kafka";
  private static final String REDIS = "redis";
  private static final String SERVICE = "service";
  private static final String OWNERS = "owners";
  private static final String NO_RECORDS = "does not take records";

  private final Vertx vertx;
  private final Readiness readiness;
  private final @Nullable Stores stores;
  private final HeartbeatMonitor heartbeats;
  private final ClockWatch clocks;
  private long looks;
  private long questions;
  private final PartWatch parts = new PartWatch(System::nanoTime);
  private boolean asking;
  private long askedAtNanos;

  /**
   * Redis and the order log, as this instance sees them.
   *
   * @param stockOutage the calls that some event loops cannot make, in words; empty: none
   * @param logUp whether any partition of the order log takes records
   * @param partitionsOut those that take none
   * @param weaknesses of the order log for a sale, as seen at the start
   * @param ownersSettled whether the partitions have working owners
   */
  public record Stores(
      BooleanSupplier stockUp,
      Supplier<String> stockOutage,
      BooleanSupplier logUp,
      Supplier<List<Integer>> partitionsOut,
      List<String> weaknesses,
      BooleanSupplier ownersSettled) {}

  /**
   * @param stores null if there is neither Redis nor an order log
   */
  public ReadinessMonitor(
      Vertx vertx,
      Readiness readiness,
      @Nullable Stores stores,
      ClockWatch clocks,
      HeartbeatMonitor heartbeats) {
    this.vertx = vertx;
    this.readiness = readiness;
    this.stores = stores;
    this.clocks = clocks;
    this.heartbeats = heartbeats;
  }

  /**
   * @param booksDirectly whether grants may be booked past the order log
   */
  public static Readiness readiness(boolean booksDirectly) {
    return new Readiness(
        List.of(MYSQL, KAFKA, REDIS, SERVICE, OWNERS),
        up ->
            up.containsAll(List.of(REDIS, SERVICE, OWNERS))
                && (up.contains(KAFKA) || (booksDirectly && up.contains(MYSQL))));
  }

  /** If there is neither Redis nor an order log, the ledger is all that is needed. */
  public static Readiness readinessOfLedger() {
    return new Readiness(List.of(MYSQL, SERVICE));
  }

  public void start() {
    looks = vertx.setPeriodic(LOOK_EVERY.toMillis(), id -> look());
    questions = vertx.setPeriodic(ASK_LEDGER_EVERY.toMillis(), id -> askLedger());
    // Redis was reachable before, but only event loops that are connected to it can grant.
    look();
    readiness.report(SERVICE, true, "grants");
  }

  public Future<Void> stop() {
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
    if (stores != null) {
      look(stores);
    }
  }

  private void look(Stores stores) {
    boolean redis = stores.stockUp().getAsBoolean();
    String outage = stores.stockOutage().get();
    boolean log = stores.logUp().getAsBoolean();
    parts.note(Part.STOCK, redis || isRefused(outage));
    parts.note(Part.LOG, log);
    readiness.report(REDIS, redis, redisDetail(redis, outage));
    readiness.report(KAFKA, log, log ? logDetail(stores) : NO_RECORDS);
    boolean settled = stores.ownersSettled().getAsBoolean();
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
  private static String redisDetail(boolean up, String outage) {
    String word = up ? "answers" : "does not answer";
    return outage.isEmpty() ? word : word + (up ? ", but " : ": ") + outage;
  }

  /** Names partitions that take no records; the others can still be granted. */
  private static String logDetail(Stores stores) {
    List<Integer> out = stores.partitionsOut().get();
    String takes = out.isEmpty() ? "takes records" : "takes records, except in partitions " + out;
    return stores.weaknesses().isEmpty()
        ? takes
        : takes + "; less safe than a sale needs: " + String.join("; ", stores.weaknesses());
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

  /**
   * Tells of each part that is away for a while, once when it is away and once when it is back. The
   * alarm says what still works, as everything that needs the part fails meanwhile. It is called by
   * timers of one event loop.
   */
  static final class PartWatch {
    /** Longer than a connection takes to be opened again. */
    static final Duration TELL_AFTER = Duration.ofSeconds(5);

    private final LongSupplier nanoTime;
    private final Map<Part, Long> awaySince = new EnumMap<>(Part.class);
    private final Set<Part> told = EnumSet.noneOf(Part.class);

    /**
     * @param nanoTime a monotonic clock
     */
    PartWatch(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
    }

    /** Called as often as it is looked at. */
    void note(Part part, boolean up) {
      long now = nanoTime.getAsLong();
      part.note(!up, now);
      if (up) {
        back(part, now);
        return;
      }
      long since = awaySince.computeIfAbsent(part, first -> now);
      if (now - since >= TELL_AFTER.toNanos() && told.add(part)) {
        part.alarm().raise(log.atError().addKeyValue("part", part.word()));
      }
    }

    private void back(Part part, long now) {
      Long since = awaySince.remove(part);
      if (told.remove(part) && since != null) {
        log.atInfo()
            .addKeyValue("part", part.word())
            .addKeyValue("seconds", TimeUnit.NANOSECONDS.toSeconds(now - since))
            .log("part is back");
      }
    }

    /** From now on nobody looks. */
    void stop() {
      awaySince.clear();
      told.clear();
      for (Part part : Part.values()) {
        part.note(false, nanoTime.getAsLong());
      }
    }
  }
}
