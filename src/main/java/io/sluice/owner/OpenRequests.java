package io.sluice.owner;

import io.sluice.ledger.OwnerRequests;
import io.sluice.ledger.OwnerRequests.OwnerRequest;
import io.vertx.core.Future;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads what instances ask of the owners here, a page a step, and begins again behind the last. So
 * requests that cannot be served now, however many and however old, hold up no other for longer
 * than it takes to page past them.
 */
final class OpenRequests {
  static final int PAGE_MAX = 200;

  private final OwnerRequests ledger;
  private final Supplier<Set<Integer>> owned;
  private final Consumer<OwnerRequest> serve;
  private long afterId;

  /** {@code owned} are the partitions with owners here; {@code serve} may be given one twice. */
  OpenRequests(OwnerRequests ledger, Supplier<Set<Integer>> owned, Consumer<OwnerRequest> serve) {
    this.ledger = ledger;
    this.owned = owned;
    this.serve = serve;
  }

  /** One page; the next is for the next timer, so that owners are not flooded. */
  Future<Boolean> step() {
    Set<Integer> partitions = owned.get();
    if (partitions.isEmpty()) {
      return Future.succeededFuture(false);
    }
    return ledger
        .openRequests(partitions, afterId, PAGE_MAX)
        .map(
            open -> {
              afterId = open.size() < PAGE_MAX ? 0 : open.get(open.size() - 1).id();
              open.forEach(serve);
              return false;
            });
  }
}
