package io.sluice.owner;

import io.sluice.ledger.OwnerRequests;
import io.sluice.ledger.OwnerRequests.OwnerRequest;
import io.vertx.core.Future;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads the requests for the owners of this instance, one page per step, and starts again after the
 * last page. So requests that cannot be served now, however many and however old, delay others only
 * until they are paged past.
 */
final class OpenRequests {
  static final int PAGE_MAX = 200;

  private final OwnerRequests ledger;
  private final Supplier<Set<Integer>> owned;
  private final Consumer<OwnerRequest> serve;
  private long afterId;

  /**
   * @param owned the partitions with owners on this instance
   * @param serve may be called several times with the same request
   */
  OpenRequests(OwnerRequests ledger, Supplier<Set<Integer>> owned, Consumer<OwnerRequest> serve) {
    this.ledger = ledger;
    this.owned = owned;
    this.serve = serve;
  }

  /**
   * Reads one page. The next page is left to the next timer tick, so that owners are not flooded.
   */
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
