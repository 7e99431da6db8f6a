package io.sluice.reservation.grant;

import io.sluice.async.LoopContext;
import io.sluice.model.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.reservation.grant.SoldOutCheck.Finding;
import io.sluice.stock.Stock;
import java.util.List;

/**
 * Answers requests that a bucket could not grant because it has too few units: "sold out" where the
 * SKU is; else "busy", and units of other buckets are asked for.
 */
final class EmptyBuckets {
  private final SoldOutCheck check;
  private final SoldOutLeases leases;
  private final Borrowing borrowing;

  EmptyBuckets(Stock stock, SoldOutLeases leases, Borrowing borrowing, LoopContext loop) {
    this.check = new SoldOutCheck(stock, borrowing::mayHaveMoved, loop);
    this.leases = leases;
    this.borrowing = borrowing;
  }

  /** Counts what is asked of a bucket, before it is decided. */
  void asked(PlacedBucket bucket, List<GrantRequest> requests) {
    if (requests.get(0).sku().buckets() > 1) {
      borrowing.wished(
          bucket, requests.stream().mapToLong(request -> request.stockRequest().qty()).sum());
    }
  }

  /** Notes that a bucket of this SKU has granted units. */
  void granted(Sku sku, PlacedBucket bucket) {
    if (sku.buckets() > 1) {
      borrowing.granted(bucket);
    }
  }

  /**
   * @param available the units of the bucket
   */
  void refuse(GrantRequest request, long available) {
    int qty = request.stockRequest().qty();
    if (request.sku().buckets() == 1) {
      request.answer(Refusals.soldOut(qty, available));
      return;
    }
    request.otherwise(Refusals.emptyBucket());
    check
        .of(request.sku(), request.bucket().id().bucket())
        .onComplete(
            found ->
                request.answer(
                    found.succeeded() && isSoldOut(request, found.result())
                        ? Refusals.soldOut(qty, available)
                        : Refusals.emptyBucket()));
  }

  private boolean isSoldOut(GrantRequest request, Finding found) {
    if (found instanceof Finding.Elsewhere elsewhere) {
      askOthers(request, elsewhere.buckets());
    }
    if (!(found instanceof Finding.SoldOut soldOut)) {
      return false;
    }
    int own = request.bucket().id().bucket();
    List<Integer> others = soldOut.filled().stream().filter(bucket -> bucket != own).toList();
    if (!others.isEmpty()) {
      askOthers(request, others);
      return false;
    }
    leases.note(request.sku(), request.bucket(), soldOut);
    return soldOut.buckets().get(own).available() < request.stockRequest().qty();
  }

  private void askOthers(GrantRequest request, List<Integer> filled) {
    borrowing.ask(request.sku(), request.bucket(), request.stockRequest().qty(), filled);
  }
}
