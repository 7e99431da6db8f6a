package io.sluice.explore.run;

import io.sluice.config.Config.ReservationConfig;
import io.sluice.explore.store.Fault;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The parameters of a run, all drawn from its seed: the sale, the actors, and the kinds and rates
 * of faults. Each scenario has only some kinds of faults, since combinations that are rare among
 * many kinds are common among few.
 *
 * @param skus of the sale; where there are several, they may be ordered together
 * @param units of each SKU
 * @param buckets of each SKU
 * @param partitions of the order log, over which the buckets are spread
 * @param restored whether the ledger is put back to a backup; then of one SKU, which does not end
 * @param deadlineMs grant deadline of an instance
 * @param replicaLagMs how long Redis does without its replicas; 0 if it has none
 * @param proxied whether calls in flight to a Redis that is lost arrive at its successor
 * @param renewed whether all instances are replaced once the faults have ended
 * @param ends whether an operator ends SKUs while they sell, and mostly puts them into their next
 *     sale
 * @param refunds whether buyers ask for refunds
 * @param heldUp whether rounds of all instances wait for others, and former owners hear of it late
 * @param rates probability at a call of interest
 */
public record Scenario(
    long seed,
    int skus,
    int units,
    int buckets,
    int partitions,
    boolean restored,
    int limitPerUser,
    int paymentWindowS,
    int deadlineMs,
    int replicaLagMs,
    int buyers,
    int restocks,
    int rebuilds,
    int freezes,
    int strangers,
    int timeoutScanMs,
    long quietAtMs,
    boolean proxied,
    boolean renewed,
    boolean ends,
    boolean refunds,
    Routes routes,
    Checks checks,
    boolean heldUp,
    Map<Fault, Double> rates) {
  private static final int COMMAND_WAIT_MS = 400;
  private static final double[] FREQUENCIES = {0.4, 1, 1, 2, 5};
  private static final int CLOCKS_APART_S = 2;
  private static final int SKUS_MAX = 3;
  private static final int BUCKETS_MAX = 3;

  /** The time for a second sale. */
  private static final long NEXT_SALE_MS = 8_000;

  /** More than instances, so that one books several in a round. */
  public static final int PARTITIONS_MAX = 3;

  /** Three of eight have several partitions, and one of these a ledger that is restored. */
  public static Scenario of(long seed) {
    Scenario scenario = ofOnePartition(seed);
    return switch (new Chance(seed).of("partitions", 0).nextInt(8)) {
      case 0 -> scenario.ofPartitions(2);
      case 2 -> scenario.ofPartitions(PARTITIONS_MAX);
      case 1 -> scenario.ofRestore();
      default -> scenario;
    };
  }

  public static Scenario ofOnePartition(long seed) {
    Scenario scenario = withoutEnds(seed);
    if (new Chance(seed).of("ends", 0).nextInt(5) == 0) {
      scenario = scenario.ofEnds();
    }
    return new Chance(seed).of("replicas", 0).nextInt(4) == 0 ? scenario.ofReplicas() : scenario;
  }

  private static Scenario withoutEnds(long seed) {
    SplittableRandom draws = new Chance(seed).of("scenario", 0);
    Map<Fault, Double> rates = new EnumMap<>(Fault.class);
    rates.put(Fault.PRIMARY_CUT_OFF, 0.0);
    for (Fault fault : EnumSet.complementOf(EnumSet.of(Fault.PRIMARY_CUT_OFF))) {
      boolean present = draws.nextInt(100) < 60;
      double rate = fault.rate() * FREQUENCIES[draws.nextInt(FREQUENCIES.length)];
      rates.put(fault, present ? rate : 0);
    }
    SplittableRandom shape = new Chance(seed).of("shape", 0);
    int kind = shape.nextInt(8);
    return new Scenario(
        seed,
        kind < 2 ? 2 + shape.nextInt(SKUS_MAX - 1) : 1,
        2 + draws.nextInt(4),
        draws.nextInt(4) == 0 ? 2 : kind == 2 ? BUCKETS_MAX : 1,
        1,
        false,
        draws.nextInt(3) == 0 ? 2 : 0,
        draws.nextInt(8) == 0 ? 0 : 1 + draws.nextInt(6),
        300 + 100 * draws.nextInt(8),
        0,
        5 + draws.nextInt(8),
        draws.nextInt(5),
        draws.nextInt(4),
        draws.nextInt(5) == 0 ? 1 : 0,
        draws.nextInt(6) == 0 ? 1 : 0,
        300 + draws.nextInt(500),
        6_000 + draws.nextInt(10_000),
        draws.nextInt(3) == 0,
        draws.nextBoolean(),
        false,
        true,
        Routes.draw(draws),
        Checks.draw(draws),
        false,
        rates);
  }

  /** The same with other rates for some faults. */
  public Scenario with(Map<Fault, Double> others) {
    Change change = new Change(this);
    change.rates.putAll(others);
    return change.made();
  }

  /** The same with several SKUs, of one bucket each, that may be ordered together. */
  public Scenario ofCarts() {
    Change change = new Change(this);
    change.skus = Math.max(skus, 2);
    change.buckets = 1;
    change.restored = false;
    return change.made();
  }

  /** The same with one SKU of several buckets, whose total does not change. */
  public Scenario ofMoves() {
    Change change = new Change(this);
    change.skus = 1;
    change.buckets = BUCKETS_MAX;
    change.restocks = 0;
    return change.made();
  }

  /** The same with SKUs that end while they sell. */
  public Scenario ofEnds() {
    Change change = new Change(this);
    change.quietAtMs = ends ? quietAtMs : quietAtMs + NEXT_SALE_MS;
    change.ends = true;
    change.restored = false;
    return change.made();
  }

  /**
   * The same with many buyers and units, rounds that wait for others, and former owners that hear
   * of it late. No bucket moves to another partition with a next sale: the partitions share the
   * keys of a stock in memory.
   */
  public Scenario ofHeldUpOwners() {
    Change change = new Change(this);
    change.units = 6 * units;
    change.buyers = 4 * buyers;
    change.ends = false;
    change.heldUp = true;
    return change.made();
  }

  /** The same with other routes. */
  public Scenario with(Routes others) {
    Change change = new Change(this);
    change.routes = others;
    return change.made();
  }

  /** The same with a Redis that has a replica, which may be promoted. */
  public Scenario ofReplicas() {
    SplittableRandom draws = new Chance(seed).of("replicas", 1);
    double rate = Fault.PRIMARY_CUT_OFF.rate() * FREQUENCIES[draws.nextInt(FREQUENCIES.length)];
    return withReplicas(1_000 + draws.nextInt(2_000), rate);
  }

  /** The same with a Redis that is alone. */
  public Scenario ofOneRedis() {
    return withReplicas(0, 0);
  }

  private Scenario withReplicas(int lagMs, double cutOffRate) {
    Change change = new Change(this);
    change.replicaLagMs = lagMs;
    change.rates.put(Fault.PRIMARY_CUT_OFF, cutOffRate);
    return change.made();
  }

  /** The same with several partitions; one SKU has buckets in all, several are in one of them. */
  public Scenario ofPartitions(int several) {
    Change change = new Change(this);
    change.partitions = several;
    change.buckets = skus == 1 ? BUCKETS_MAX : buckets;
    return change.made();
  }

  /**
   * The same with one SKU in two partitions, in a ledger that is put back to a backup. The clock of
   * Redis is not stepped, and holds last longer than clocks may be apart: so the ledger tells which
   * of them had ended before a grant was made.
   */
  public Scenario ofRestore() {
    Change change = new Change(this);
    change.partitions = 2;
    change.skus = 1;
    change.buckets = BUCKETS_MAX;
    change.restored = true;
    change.ends = false;
    change.freezes = 0;
    change.paymentWindowS = paymentWindowS == 0 ? 0 : paymentWindowS + CLOCKS_APART_S;
    change.checks = checks.withoutVanishings();
    change.rates.put(Fault.CLOCK_STEPPED, 0.0);
    return change.made();
  }

  /** The same, but each order is confirmed at once and for good, so that no unit comes back. */
  public Scenario ofFinalOrders() {
    Change change = new Change(this);
    change.paymentWindowS = 0;
    change.refunds = false;
    return change.made();
  }

  /** What is to be different in another scenario. */
  private static final class Change {
    private final Scenario was;
    private final Map<Fault, Double> rates;
    private int skus;
    private int units;
    private int buckets;
    private int partitions;
    private boolean restored;
    private int paymentWindowS;
    private int replicaLagMs;
    private int buyers;
    private int restocks;
    private int freezes;
    private long quietAtMs;
    private boolean ends;
    private boolean refunds;
    private Routes routes;
    private Checks checks;
    private boolean heldUp;

    Change(Scenario was) {
      this.was = was;
      this.rates = new EnumMap<>(was.rates);
      this.skus = was.skus;
      this.units = was.units;
      this.buckets = was.buckets;
      this.partitions = was.partitions;
      this.restored = was.restored;
      this.paymentWindowS = was.paymentWindowS;
      this.replicaLagMs = was.replicaLagMs;
      this.buyers = was.buyers;
      this.restocks = was.restocks;
      this.freezes = was.freezes;
      this.quietAtMs = was.quietAtMs;
      this.ends = was.ends;
      this.refunds = was.refunds;
      this.routes = was.routes;
      this.checks = was.checks;
      this.heldUp = was.heldUp;
    }

    Scenario made() {
      return new Scenario(
          was.seed,
          skus,
          units,
          buckets,
          partitions,
          restored,
          was.limitPerUser,
          paymentWindowS,
          was.deadlineMs,
          replicaLagMs,
          buyers,
          restocks,
          was.rebuilds,
          freezes,
          was.strangers,
          was.timeoutScanMs,
          quietAtMs,
          was.proxied,
          was.renewed,
          ends,
          refunds,
          routes,
          checks,
          heldUp,
          rates);
    }
  }

  /**
   * The configuration of all instances.
   *
   * @param grantDeadlineMs separate, since a planted defect may change it
   */
  ReservationConfig config(int grantDeadlineMs) {
    return new ReservationConfig(
        paymentWindowS,
        grantDeadlineMs,
        Math.max(2 * deadlineMs, grantDeadlineMs + 1),
        timeoutScanMs,
        COMMAND_WAIT_MS,
        routes.directPerS());
  }
}
