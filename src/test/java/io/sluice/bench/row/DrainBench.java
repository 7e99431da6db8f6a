package io.sluice.bench.row;

import io.sluice.bench.site.BareInserts;
import io.sluice.bench.site.CpuTime;
import io.sluice.bench.site.DrainSite;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.testkit.mysql.LedgerFill;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.process.StartListener;
import io.sluice.testkit.server.Backends;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * How fast owners book a backlog, relative to a plain loop that inserts the same rows.
 *
 * <p>Each round fills the log while no owner runs, lets one instance drain it, then inserts the
 * same orders into a fresh database of the same server. The first round only warms up the JVM.
 */
public final class DrainBench {
  private static final int BATCH = 2_000;
  private static final int WARM_UP = 60_000;
  private static final int POLL_MS = 20;
  private static final int SETTLE_LIMIT_S = 300;

  private final Backends backends;
  private final Vertx vertx =
      Vertx.vertx(new VertxOptions().setUseDaemonThread(true).setEventLoopPoolSize(2));
  private final int orders = Integer.getInteger("orders", 200_000);
  private final int perRecord = Integer.getInteger("perRecord", 64);
  private final int buckets = Integer.getInteger("buckets", 128);
  private final int held = Integer.getInteger("held", 0);

  /** Figures of one round, in orders a second. */
  record Round(double drained, double relayed, double bare) {
    double ratio() {
      return drained / bare;
    }
  }

  private final Consumer<String> notes;

  /** {@code notes} receives the processor time used. */
  DrainBench(Backends backends, Consumer<String> notes) {
    this.backends = backends;
    this.notes = notes;
  }

  /**
   * {@code -Dorders=200000 -Drounds=3 -DperRecord=64 -Dbuckets=128 -Dheld=0}; {@code held} is how
   * many PENDING orders the ledger has before the drain begins.
   */
  public static void main(String[] args) {
    Path folder = Path.of("target", "bench");
    int rounds = Integer.getInteger("rounds", 3);
    try (Backends backends = Backends.start(folder, StartListener.SILENT)) {
      DrainBench bench = new DrainBench(backends, System.out::println);
      bench.warmUp();
      for (int i = 1; i <= rounds; i++) {
        Round round = bench.round(i);
        System.out.printf(
            Locale.ROOT,
            "round %d: drained %,.0f/s, with events %,.0f/s, bare %,.0f/s, ratio %.2f%n",
            i,
            round.drained(),
            round.relayed(),
            round.bare(),
            round.ratio());
      }
    }
    System.exit(0);
  }

  /** A smaller round whose figures are dropped. */
  void warmUp() {
    round(0, Math.min(orders, WARM_UP));
  }

  /** Runs a round; {@code number} starts at 1. */
  Round round(int number) {
    return round(number, orders);
  }

  private Round round(int number, int backlog) {
    try (DrainSite site = newSite(1, backlog)) {
      if (held > 0 && number > 0) {
        hold(site.ledger(), site.skuId() + 1);
      }
      List<List<Grant>> granted = site.fill(backlog, perRecord);
      double drained = drained(site, backlog);
      double relayed = backlog * 1e9 / (relayedNs - startNs);
      return new Round(drained, relayed, bare(granted));
    }
  }

  /** A site with an empty ledger, and units for so many rounds; nobody owns its partitions. */
  DrainSite newSite(int rounds) {
    return newSite(rounds, orders);
  }

  private DrainSite newSite(int rounds, int backlog) {
    DrainSite site = new DrainSite(backends, vertx, System.currentTimeMillis(), buckets);
    site.start();
    // Buyers do not spread evenly over the buckets.
    site.put(2L * backlog * rounds);
    site.stop();
    return site;
  }

  int buckets() {
    return buckets;
  }

  /** The rate of a round on a new site, without the bare rows. */
  double emptyRound() {
    try (DrainSite site = newSite(1)) {
      return round(site);
    }
  }

  /** The rate of a round on this site, without the bare rows. */
  double round(DrainSite site) {
    site.fill(orders, perRecord);
    return drained(site, orders);
  }

  /** Books what was filled in; leaves the site stopped once everything is passed on. */
  private double drained(DrainSite site, int backlog) {
    long before = site.booked();
    site.start();
    double drained = rate(site, before, backlog);
    await(() -> site.ledger().outboxPending() == 0);
    relayedNs = System.nanoTime();
    site.stop();
    return drained;
  }

  /** Adds the held orders to another SKU, in mode DIRECT so that it is not loaded into Redis. */
  private void hold(LedgerReader ledger, long skuId) {
    LedgerFill fill = new LedgerFill(sql -> ledger.query(sql, row -> row), 8);
    fill.sku(skuId, buckets, held, "DIRECT");
    for (int bucket = 0; bucket < buckets; bucket++) {
      fill.pending(new BucketId(skuId, bucket), held / buckets);
    }
  }

  private long startNs;
  private long relayedNs;

  /** The rate from the first booked order to the last. */
  private double rate(DrainSite site, long before, long backlog) {
    await(() -> site.booked() > before);
    startNs = System.nanoTime();
    CpuTime cpu = new CpuTime();
    long first = site.booked();
    await(() -> site.booked() == before + backlog);
    double rate = (before + backlog - first) * 1e9 / (System.nanoTime() - startNs);
    notes.accept("  drain " + cpu.perOrder(before + backlog - first));
    return rate;
  }

  private double bare(List<List<Grant>> granted) {
    String uri = backends.mysql().newDatabase();
    try (LedgerReader database = new LedgerReader(vertx, uri)) {
      BareInserts.TABLES.forEach(table -> database.query(table, row -> row));
    }
    long total = granted.stream().mapToLong(List::size).sum();
    CpuTime cpu = new CpuTime();
    long beginNs = System.nanoTime();
    DrainSite.get(new BareInserts(vertx, uri, BATCH).write(granted));
    double rate = total * 1e9 / (System.nanoTime() - beginNs);
    notes.accept("  bare  " + cpu.perOrder(total));
    try (LedgerReader reader = new LedgerReader(vertx, uri)) {
      if (reader.count("SELECT COUNT(*) FROM outbox") != total) {
        throw new IllegalStateException("Expected every order to be written bare");
      }
    }
    return rate;
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_LIMIT_S);
    while (!condition.holds()) {
      if (System.nanoTime() > endNs) {
        throw new IllegalStateException("Expected the backlog to be drained in time");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MS));
    }
  }
}
