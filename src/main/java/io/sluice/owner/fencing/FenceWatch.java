package io.sluice.owner.fencing;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.vertx.core.Future;
import java.util.List;

/**
 * Looks now and then whether the ledger still has what this owner has committed: one that books
 * nothing would not notice that the ledger was put back to an earlier state.
 */
public final class FenceWatch {
  private final Ledger ledger;
  private final OwnedLedger owned;
  private final Ownership ownership;

  public FenceWatch(OwnerContext context) {
    this.ledger = context.ledger();
    this.owned = context.owned();
    this.ownership = context.ownership();
  }

  /** What looks lost is asked for under the fence's lock, where the ownership ends if it is. */
  public Future<Boolean> step() {
    Fence known = ownership.fence();
    return ledger
        .fences()
        .compose(
            fences -> {
              Fence now = fences.get(known.partition());
              boolean kept = now != null && now.term() == known.term() && !now.isBehind(known);
              return kept ? Future.succeededFuture(false) : owned.apply(List.of()).map(false);
            });
  }
}
