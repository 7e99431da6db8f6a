package io.sluice.owner.fencing;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.vertx.core.Future;
import java.util.List;

/**
 * Checks periodically that the ledger still has what this owner has committed. An owner that books
 * nothing would not notice that the ledger was restored to an earlier state.
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

  /**
   * If the unlocked read shows a different fence, it is checked again under the lock, which ends
   * the ownership if it is lost.
   */
  public Future<Boolean> step() {
    Fence known = ownership.fence();
    return ledger
        .glance(known.partition())
        .compose(
            seen ->
                seen.fence().filter(now -> isKept(known, now)).isPresent()
                    ? Future.succeededFuture(false)
                    : owned.apply(List.of()).map(false));
  }

  private static boolean isKept(Fence known, Fence now) {
    return now.term() == known.term() && !now.isBehind(known);
  }
}
