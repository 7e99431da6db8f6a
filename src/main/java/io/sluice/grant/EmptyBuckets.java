package io.sluice.grant;

import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.grant.SoldOutCheck.Finding;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import java.util.List;

/**
 * Answers requests that a bucket could not grant because it has too few units. The answer is "sold
 * out" if the SKU is; else "busy", and units of other buckets are asked for.
 */
record EmptyBuckets(SoldOutCheck check, SoldOutLeases leases, Borrowing borrowing) {

  /** Counts what is asked of buckets by a call to Redis, before it is decided. */
  void asked(List<GrantRequest> requests) {
    GrantRequest first = requests.get(0);
    if (first.size() > 1) {
      for (GrantRequest request : requests) {
        for (int line = 0; line < request.size(); line++) {
          asked(request.sku(line), request.bucket(line), request.asked().qty(line));
        }
      }
    } else if (first.sku(0).buckets() > 1) {
      long units = requests.stream().mapToLong(request -> request.asked().qty()).sum();
      asked(first.sku(0), first.bucket(0), units);
    }
  }

  private void asked(Sku sku, PlacedBucket bucket, long units) {
    if (sku.buckets() > 1) {
      borrowing.wished(bucket, units);
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
   * Answers a request.
   *
   * @param line whose bucket had too few units
   * @param available the units of that bucket
   */
  void refuse(GrantRequest request, int line, long available) {
    Sku sku = request.sku(line);
    Refused soldOut = Refusals.of(Refusal.SOLD_OUT, request.asked(), line, available);
    if (sku.buckets() == 1) {
      request.answer(soldOut);
      return;
    }
    Refused elsewhere = Refusals.ofLine(Refusals.EMPTY_BUCKET, request.asked(), line);
    PlacedBucket bucket = request.bucket(line);
    int qty = request.asked().qty(line);
    request.otherwise(elsewhere);
    borrowing.missed(bucket, qty);
    check
        .of(sku, bucket.id().bucket())
        .onComplete(
            found ->
                request.answer(
                    found.succeeded() && isSoldOut(sku, bucket, qty, found.result())
                        ? soldOut
                        : elsewhere));
  }

  private boolean isSoldOut(Sku sku, PlacedBucket bucket, int qty, Finding found) {
    if (found instanceof Finding.Elsewhere elsewhere) {
      borrowing.ask(sku, bucket, qty, elsewhere.buckets());
    }
    if (!(found instanceof Finding.SoldOut soldOut)) {
      return false;
    }
    int own = bucket.id().bucket();
    List<Borrowing.FilledBucket> others =
        soldOut.filled().stream().filter(each -> each.bucket() != own).toList();
    if (!others.isEmpty()) {
      borrowing.ask(sku, bucket, qty, others);
      return false;
    }
    leases.note(sku, bucket, soldOut);
    return soldOut.buckets().get(own).available() < qty;
  }
}
