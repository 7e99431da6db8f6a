package io.sluice.grant;

import io.micrometer.core.instrument.Counter;
import io.sluice.async.Batcher;
import io.sluice.async.Batcher.KeyedBatcher;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SkuLedger;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.monitor.Alarm;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Books grants in the ledger, past the order log, one transaction per bucket at a time. Redis is
 * not updated: the sweep finds the grants unbooked there and books them again, as duplicates.
 *
 * <p>A failed booking has an unknown outcome and is never undone, like a failed append.
 */
final class PastLogBooking {
  /** Orders in a transaction, or lines of orders of several SKUs. */
  static final int BATCH_MAX = 500;

  private static final Logger log = LoggerFactory.getLogger(PastLogBooking.class);

  private record Waiting(Grant grant, Promise<Booked> outcome) {
    int lines() {
      return grant.lines().size();
    }
  }

  private final Ledger ledger;
  private final SkuLedger skus;
  private final Counter bookings;
  private final KeyedBatcher<BucketId, Waiting> lanes =
      new KeyedBatcher<>(new Batcher.Limits(1, BATCH_MAX, BATCH_MAX), Waiting::lines, this::send);

  PastLogBooking(Ledger ledger, SkuLedger skus, Meters meters) {
    this.ledger = ledger;
    this.skus = skus;
    this.bookings = meters.directBookings();
  }

  /**
   * Completes with the orders of the grants that are known to be in the ledger, in their current
   * state.
   */
  Future<Map<OrderToken, Order>> book(Collection<Grant> grants) {
    if (grants.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    List<Waiting> all =
        grants.stream().map(grant -> new Waiting(grant, Promise.<Booked>promise())).toList();
    all.forEach(waiting -> lanes.add(waiting.grant().token().bucketId(), waiting));
    return Future.join(all.stream().map(waiting -> waiting.outcome().future()).toList())
        .transform(done -> Future.succeededFuture(found(all)));
  }

  private static Map<OrderToken, Order> found(List<Waiting> all) {
    Map<OrderToken, Order> found = new HashMap<>();
    for (Waiting waiting : all) {
      Future<Booked> outcome = waiting.outcome().future();
      Order order =
          outcome.succeeded() ? outcome.result().orders().get(waiting.grant().token()) : null;
      if (order != null) {
        found.put(order.token(), order);
      }
    }
    return found;
  }

  private Future<Void> send(BucketId bucket, List<Waiting> batch) {
    return Future.succeededFuture(batch)
        .compose(first -> ledger.book(() -> grants(bucket, batch)))
        .onComplete(
            (booked, failure) -> {
              batch.forEach(waiting -> waiting.outcome().complete(booked, failure));
              if (booked != null) {
                note(bucket, booked);
              }
            })
        .mapEmpty();
  }

  /** Of all that have come until there is a connection. */
  private List<Grant> grants(BucketId bucket, List<Waiting> batch) {
    if (!batch.get(0).outcome().future().isComplete()) {
      lanes.join(bucket, batch);
    }
    return batch.stream().map(Waiting::grant).toList();
  }

  private void note(BucketId bucket, Booked booked) {
    bookings.increment(booked.orders().size());
    if (booked.unsound()) {
      Alarm.DIRECT_BOOKING_UNSOUND.raise(log.atError().addKeyValue("bucket", bucket));
      // If this request fails too, the owner's own comparison of the bucket finds the difference.
      skus.request(RequestKind.REBUILD, bucket);
    }
  }
}
