package io.sluice.owner.outbox;

import io.sluice.ledger.Moves.Borrow;
import io.sluice.ledger.Moves.Part;
import io.sluice.stock.StockReads.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The units of one bucket, shared among the buckets that ask for them. They get half of what it
 * has, or all if nobody buys there, or if buyers of those that have none wait for them.
 */
final class Shares {
  private final List<Part> parts = new ArrayList<>();
  private long units;
  private long left;
  private final boolean idle;
  private int askers;

  private Shares(long units, boolean idle, int askers) {
    this.units = units;
    this.left = idle ? units : (units + 1) / 2;
    this.idle = idle;
    this.askers = askers;
  }

  /**
   * @param available the units of the bucket
   * @param idle whether nobody buys there
   * @param askers the number of requests for which {@link #give} is going to be called
   */
  static Shares of(long available, boolean idle, int askers) {
    return new Shares(available, idle, askers);
  }

  /**
   * Gives a request its even share, but at least what its bucket misses. Of a bucket that sells
   * itself it gives at most the units that its buyers take in a second, and those that make both
   * equal. False if it gets nothing.
   *
   * @param target the bucket that asks; empty if it is not served now
   */
  boolean give(long requestId, Borrow borrow, Optional<Snapshot> target) {
    long even = (left + askers - 1) / askers;
    askers--;
    long has = Math.max(0, target.map(Snapshot::available).orElse(borrow.need()));
    long missing = borrow.need() - has;
    long reach = has == 0 ? units : left;
    if (missing <= 0 || reach <= 0) {
      return false;
    }
    long most = idle ? even : Math.min(Math.min(even, (units - has + 1) / 2), borrow.most());
    long given = Math.min(reach, Math.max(missing, most));
    units -= given;
    left = Math.max(0, left - given);
    parts.add(new Part(requestId, borrow.to().id().bucket(), borrow.to().partition(), given));
    return true;
  }

  /** The units that the bucket keeps. */
  long kept() {
    return units;
  }

  List<Part> parts() {
    return List.copyOf(parts);
  }
}
