package io.sluice.ledger;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events of the orders of SKUs, counted by intervals. A slice reads so many rows at most,
 * however many there are; slices after each other are no snapshot. Failures as in {@link Ledger}.
 */
public interface SaleHistory {
  /** The maximum of rows that one slice reads. */
  int SLICE_MAX = 10_000;

  /** The maximum of SKUs that a slice begins with. */
  int SKUS_MAX = 100;

  /** Times from grant to payment: number n of {@link Group#waited} is shorter than the n-th. */
  List<Long> WAITS_MS =
      List.of(
          1_000L,
          2_000L,
          5_000L,
          10_000L,
          20_000L,
          30_000L,
          60_000L,
          120_000L,
          300_000L,
          600_000L,
          1_800_000L,
          3_600_000L);

  /** The kinds of events of an order. */
  enum Kind {
    GRANTED,
    PAID,
    CANCELED,
    TIMED_OUT,
    REFUNDED,
    /** A payment came after the end. */
    PAID_LATE
  }

  /**
   * The counts of an interval.
   *
   * @param saleNo the sale of the SKU that the orders belong to
   * @param beganMs begin of the interval
   * @param waited of PAID: the number of the time since the grant; else 0
   * @param firstMs when it happened first
   * @param lastMs when it happened last; of GRANTED: the last payment deadline
   */
  record Group(
      long skuId,
      long saleNo,
      Kind kind,
      long beganMs,
      int waited,
      long orders,
      long units,
      long firstMs,
      long lastMs) {}

  /** Behind an order of a SKU, or behind a step of it. */
  record Place(long skuId, int bucket, long epoch, long seq, int step) {}

  /**
   * The part that is left to read.
   *
   * @param after the rest of one SKU, which comes first; null if there is none
   * @param skuIds all of these, in rising order
   */
  record Rest(@Nullable Place after, List<Long> skuIds) {
    public Rest {
      skuIds = List.copyOf(skuIds);
    }

    /** All of these SKUs. */
    public static Rest of(List<Long> skuIds) {
      return new Rest(null, skuIds);
    }

    /** After a slice that has reached a place; empty if nothing is left. */
    public Optional<Rest> behind(@Nullable Place reached) {
      if (reached == null) {
        return after == null || skuIds.isEmpty() ? Optional.empty() : Optional.of(of(skuIds));
      }
      return Optional.of(
          new Rest(reached, skuIds.stream().filter(id -> id > reached.skuId()).toList()));
    }
  }

  /** The findings of a slice; the rest is empty at the end. */
  record Slice(List<Group> groups, Optional<Rest> rest) {}

  /** Counts GRANTED. */
  Future<Slice> granted(Rest rest, long intervalMs, int limit);

  /** Counts all else. */
  Future<Slice> ended(Rest rest, long intervalMs, int limit);
}
