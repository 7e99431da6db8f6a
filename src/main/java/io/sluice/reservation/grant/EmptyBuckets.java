package io.sluice.reservation.grant;

import io.sluice.async.LoopContext;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.reservation.grant.PlacedOrder.Refused;
import io.sluice.reservation.grant.SoldOutCheck.Finding;
import io.sluice.stock.Stock;
import java.util.List;

/**
 * Answers requests that a bucket could not grant because it has too few units. The answer is "sold
 * out" if the SKU is; else "busy", and units of other buckets are asked for.
 */
final class EmptyBuckets {
  private final SoldOutCheck check;
  private final SoldOutLeases leases;
  private final Borrowing borrowing;

  EmptyBuckets(Stock stock, SoldOutLeases leases, Borrowing borrowing, LoopContext loop) {
    this.check = new SoldOutCheck(stock, loop);
    this.leases = leases;
    this.borrowing = borrowing;
  }

  /**
   * What a bucket could not grant.
   *
   * @param line of several, whose SKU the answer names; 0 if the request is for one SKU
   * @param available the units of the bucket
   */
  record Wish(
      OpenRequest request, Sku sku, PlacedBucket bucket, int qty, long line, long available) {
    private Refused soldOut() {
      return named(Refusals.soldOut(qty, available));
    }

    private Refused elsewhere() {
      return named(Refusals.emptyBucket());
    }

    private Refused named(Refused refused) {
      return line == 0 ? refused : refused.ofLine(line);
    }
  }

  /** Counts what is asked of a bucket, before it is decided. */
  void asked(PlacedBucket bucket, List<GrantRequest> requests) {
    if (requests.get(0).sku().buckets() > 1) {
      borrowing.wished(
          bucket, requests.stream().mapToLong(request -> request.stockRequest().qty()).sum());
    }
  }

  /** The same of one line of several. */
  void asked(Sku sku, PlacedBucket bucket, int qty) {
    if (sku.buckets() > 1) {
      borrowing.wished(bucket, qty);
    }
  }

  /**
   * Notes that a bucket of this SKU has granted units, and asks ahead for more if it soon has none.
   *
   * @param available the units that it has left
   */
  void granted(Sku sku, PlacedBucket bucket, long available) {
    if (sku.buckets() > 1 && borrowing.granted(bucket, available)) {
      check
          .of(sku, SoldOutCheck.NONE)
          .onSuccess(
              found -> {
                if (found instanceof Finding.Elsewhere elsewhere) {
                  borrowing.askAhead(sku, bucket, elsewhere.buckets());
                }
              });
    }
  }

  /**
   * @param available the units of the bucket
   */
  void refuse(GrantRequest request, long available) {
    refuse(
        new Wish(
            request, request.sku(), request.bucket(), request.stockRequest().qty(), 0, available));
  }

  void refuse(Wish wish) {
    OpenRequest request = wish.request();
    if (wish.sku().buckets() == 1) {
      request.answer(wish.soldOut());
      return;
    }
    request.otherwise(wish.elsewhere());
    borrowing.missed(wish.bucket(), wish.qty());
    check
        .of(wish.sku(), wish.bucket().id().bucket())
        .onComplete(
            found ->
                request.answer(
                    found.succeeded() && isSoldOut(wish, found.result())
                        ? wish.soldOut()
                        : wish.elsewhere()));
  }

  private boolean isSoldOut(Wish wish, Finding found) {
    if (found instanceof Finding.Elsewhere elsewhere) {
      askOthers(wish, elsewhere.buckets());
    }
    if (!(found instanceof Finding.SoldOut soldOut)) {
      return false;
    }
    int own = wish.bucket().id().bucket();
    List<FilledBucket> others =
        soldOut.filled().stream().filter(bucket -> bucket.bucket() != own).toList();
    if (!others.isEmpty()) {
      askOthers(wish, others);
      return false;
    }
    leases.note(wish.sku(), wish.bucket(), soldOut);
    return soldOut.buckets().get(own).available() < wish.qty();
  }

  private void askOthers(Wish wish, List<FilledBucket> filled) {
    borrowing.ask(wish.sku(), wish.bucket(), wish.qty(), filled);
  }
}
