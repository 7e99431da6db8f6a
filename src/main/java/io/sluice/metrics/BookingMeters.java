package io.sluice.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** The meters of the transactions that book. */
public final class BookingMeters {
  private final MeterRegistry registry;
  private final Timer transactions;
  private final DistributionSummary batchSize;
  private final Counter booked;
  private final Counter duplicates;
  private final Timer lag;
  private final Counter rebuilds;
  private final Counter moves;
  private final Counter movedUnits;

  BookingMeters(MeterRegistry registry) {
    this.registry = registry;
    this.transactions =
        Timer.builder("sluice_booking")
            .serviceLevelObjectives(Bounds.ms(10, 50, 200, 1_000, 5_000))
            .register(registry);
    this.batchSize = DistributionSummary.builder("sluice_booking_batch_size").register(registry);
    this.booked = Counter.builder("sluice_booked_orders").register(registry);
    this.duplicates = Counter.builder("sluice_booked_duplicates").register(registry);
    this.lag =
        Timer.builder("sluice_booked_lag")
            .serviceLevelObjectives(Bounds.ms(100, 500, 1_000, 5_000, 30_000))
            .register(registry);
    this.rebuilds = Counter.builder("sluice_rebuilds").register(registry);
    this.moves = Counter.builder("sluice_moves").register(registry);
    this.movedUnits = Counter.builder("sluice_moved_units").register(registry);
  }

  /** Begins the time of a transaction. */
  public Timer.Sample begin() {
    return Timer.start(registry);
  }

  /** The transaction is committed. */
  public void applied(Timer.Sample begun, int commands) {
    begun.stop(transactions);
    batchSize.record(commands);
  }

  /**
   * What it wrote.
   *
   * @param orders that are new
   * @param repeated grants that had an order before
   * @param lagMs how long before that the oldest of the orders was granted
   */
  public void booked(int orders, int repeated, long lagMs) {
    booked.increment(orders);
    duplicates.increment(repeated);
    if (orders > 0) {
      lag.record(Math.max(0, lagMs), TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Commands that cannot be applied because of their data.
   *
   * @param cause from a small fixed set
   */
  public void deadLettered(String cause, int commands) {
    registry.counter("sluice_ledger_dead_commands", "cause", cause).increment(commands);
  }

  /** The epoch of a bucket was raised, with which each rebuild begins. */
  public void rebuildBegun() {
    rebuilds.increment();
  }

  /** Units have gone from a bucket to others. */
  public void moved(long units) {
    moves.increment();
    movedUnits.increment(units);
  }
}
