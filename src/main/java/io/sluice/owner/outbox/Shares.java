package io.sluice.owner.outbox;

import io.sluice.ledger.Moves.Borrow;
import io.sluice.ledger.Moves.Part;
import io.sluice.stock.StockStore.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The units of one bucket, shared among the buckets that ask for them: half of what it has, or all
 * where nobody buys there.
 */
final class Shares {
  private final List<Part> parts = new ArrayList<>();
  private long left;
  private final boolean idle;
  private int askers;

  private Shares(long units, boolean idle, int askers) {
    this.left = units;
    this.idle = idle;
    this.askers = askers;
  }

  /**
   * @param available the units of the bucket
   * @param idle whether nobody buys there
   * @param askers the number of requests for which {@link #give} is going to be called
   */
  static Shares of(long available, boolean idle, int askers) {
    return new Shares(idle ? available : (available + 1) / 2, idle, askers);
  }

  /**
   * Gives a request its even share, but at least what its bucket misses, and of a bucket that sells
   * itself at most what the buyers take in a second. False where it gets nothing.
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
    long most = idle ? even : Math.min(even, borrow.most());
    long units = Math.min(left, Math.max(missing, most));
    left -= units;
    parts.add(new Part(requestId, borrow.to().id().bucket(), borrow.to().partition(), units));
    return true;
  }

  List<Part> parts() {
    return List.copyOf(parts);
  }
}
