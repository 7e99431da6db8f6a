package io.sluice.owner.reconcile;

import io.sluice.ledger.Ledger;
import io.vertx.core.Future;

/**
 * The longest sweep delay of all instances that may still grant. It is read again after each {@link
 * #forget}, since a new instance may have a longer one.
 */
final class SweepDelay {
  private final Ledger ledger;
  private final long ownMs;
  private long longestMs;
  private boolean isKnown;

  SweepDelay(Ledger ledger, long ownMs) {
    this.ledger = ledger;
    this.ownMs = ownMs;
    this.longestMs = ownMs;
  }

  void forget() {
    isKnown = false;
  }

  /** Completes when it is known. */
  Future<Void> read() {
    return isKnown
        ? Future.succeededFuture()
        : ledger
            .longestSettings()
            .onSuccess(
                all -> {
                  isKnown = true;
                  longestMs = Math.max(ownMs, all.sweepAfterMs());
                })
            .mapEmpty();
  }

  long ms() {
    return longestMs;
  }
}
