package io.sluice.owner.outbox;

import io.sluice.ledger.Moves.Borrow;
import io.sluice.ledger.Moves.Part;
import io.sluice.stock.StockStore.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The units of one bucket, shared among the buckets that ask for them. */
final class Shares {
  private final List<Part> parts = new ArrayList<>();
  private long left;
  private int askers;

  /**
   * @param units to share
   * @param askers the number of requests for which {@link #give} is going to be called
   */
  Shares(long units, int askers) {
    this.left = units;
    this.askers = askers;
  }

  /**
   * Gives a request its even share, but at least what its bucket misses, and at most what its
   * buyers take in a second. False where it gets nothing.
   *
   * @param target the bucket that asks; empty where it is not served now
   */
  boolean give(long requestId, Borrow borrow, Optional<Snapshot> target) {
    long even = (left + askers - 1) / askers;
    askers--;
    long has = target.map(Snapshot::available).orElse(borrow.need());
    long missing = borrow.need() - Math.max(0, has);
    if (missing <= 0 || left <= 0) {
      return false;
    }
    long units = Math.min(left, Math.max(missing, Math.min(even, borrow.most())));
    left -= units;
    parts.add(
        new Part(requestId, borrow.to().id().bucket(), borrow.to().partition(), units));
    return true;
  }

  List<Part> parts() {
    return List.copyOf(parts);
  }
}
