package io.sluice.explore.run;

import io.sluice.config.ReservationConfig;
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
 * @param deadlineMs grant deadline of an instance
 * @param replicaLagMs how long Redis does without its replicas; 0 if it has none
 * @param proxied whether calls in flight to a Redis that is lost arrive at its successor
 * @param renewed whether all instances are replaced once the faults have ended
 * @param ends whether an operator ends SKUs while they sell, and mostly puts them into their next
 *     sale
 * @param rates probability at a call of interest
 */
public record Scenario(
    long seed,
    int skus,
    int units,
    int buckets,
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
    Routes routes,
    Checks checks,
    Map<Fault, Double> rates) {
  private static final int COMMAND_WAIT_MS = 400;
  private static final double[] FREQUENCIES = {0.4, 1, 1, 2, 5};
  private static final int SKUS_MAX = 3;
  private static final int BUCKETS_MAX = 3;

  /** The time for a second sale. */
  private static final long NEXT_SALE_MS = 8_000;

  public static Scenario of(long seed) {
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
        Routes.draw(draws),
        Checks.draw(draws),
        rates);
  }

  /** The same with other rates for some faults. */
  public Scenario with(Map<Fault, Double> others) {
    Map<Fault, Double> all = new EnumMap<>(rates);
    all.putAll(others);
    return with(skus, buckets, restocks, replicaLagMs, ends, routes, all);
  }

  /** The same with several SKUs, of one bucket each, that may be ordered together. */
  public Scenario ofCarts() {
    return with(Math.max(skus, 2), 1, restocks, replicaLagMs, ends, routes, rates);
  }

  /** The same with one SKU of several buckets, whose total does not change. */
  public Scenario ofMoves() {
    return with(1, BUCKETS_MAX, 0, replicaLagMs, ends, routes, rates);
  }

  /** The same with SKUs that end while they sell. */
  public Scenario ofEnds() {
    return ends ? this : with(skus, buckets, restocks, replicaLagMs, true, routes, rates);
  }

  /** The same with other routes. */
  public Scenario with(Routes others) {
    return with(skus, buckets, restocks, replicaLagMs, ends, others, rates);
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
    return with(skus, buckets, restocks, lagMs, ends, routes, rates)
        .with(Map.of(Fault.PRIMARY_CUT_OFF, cutOffRate));
  }

  private Scenario with(
      int otherSkus,
      int otherBuckets,
      int otherRestocks,
      int otherLagMs,
      boolean nowEnds,
      Routes otherRoutes,
      Map<Fault, Double> otherRates) {
    return new Scenario(
        seed,
        otherSkus,
        units,
        otherBuckets,
        limitPerUser,
        paymentWindowS,
        deadlineMs,
        otherLagMs,
        buyers,
        otherRestocks,
        rebuilds,
        freezes,
        strangers,
        timeoutScanMs,
        nowEnds && !ends ? quietAtMs + NEXT_SALE_MS : quietAtMs,
        proxied,
        renewed,
        nowEnds,
        otherRoutes,
        checks,
        otherRates);
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
