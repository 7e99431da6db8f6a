package io.sluice.reservation.grant;

import io.sluice.async.KeyedBatcher;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.reservation.grant.PlacedOrder.Refused;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to Redis in batches, one per bucket at a time or some full ones. Appends the
 * grants of a batch to the log together, in records of at most 128. Knows nothing of buyers, keys
 * or admission.
 */
final class GrantBatcher {
  static final int BATCH_MAX = 256;

  /**
   * Calls of a bucket in flight, if they are full: in a stampede thousands of requests are read
   * before the reply to the one before.
   */
  static final int FULL_CALLS_MAX = 4;

  private static final Logger log = LoggerFactory.getLogger(GrantBatcher.class);

  private final GrantParts parts;
  private final SoldOutLeases leases;
  private final EmptyBuckets empty;
  private final LastUnits last;
  private final KeyedBatcher<PlacedBucket, GrantRequest> lanes =
      new KeyedBatcher<>(BATCH_MAX, FULL_CALLS_MAX, this::send);

  GrantBatcher(GrantParts parts) {
    this.parts = parts;
    this.leases = parts.leases;
    this.last = parts.last;
    this.empty = parts.empty;
  }

  void add(GrantRequest request) {
    lanes.add(request.bucket(), request);
  }

  /** Whether Redis would certainly refuse this request as sold out. */
  boolean isSoldOut(Sku sku, StockStore.Request stockRequest) {
    return leases.isSoldOut(sku, stockRequest);
  }

  /**
   * A reply may have brought a lease meanwhile. Requests that it covers are not sent; one request
   * at a time renews it.
   */
  private Future<Void> send(PlacedBucket bucket, List<GrantRequest> waiting) {
    List<GrantRequest> requests = new ArrayList<>(waiting.size());
    // A call is for one sale. A request that was let in before the SKU was read again has its
    // former entry.
    long saleNo = waiting.get(waiting.size() - 1).sku().saleNo();
    for (GrantRequest request : waiting) {
      if (request.sku().saleNo() != saleNo) {
        request.answer(Refusals.loading());
      } else if (leases.isSoldOut(request.sku(), request.stockRequest())) {
        request.answer(Refusals.soldOut(request.stockRequest().qty(), 0));
      } else {
        requests.add(request);
      }
    }
    List<GrantRequest> sent = last.letIn(bucket, requests);
    return sent.isEmpty() ? Future.succeededFuture() : ask(bucket, sent);
  }

  private Future<Void> ask(PlacedBucket bucket, List<GrantRequest> requests) {
    empty.asked(bucket, requests);
    GrantBatch<GrantRequest> batch = parts.batch(requests);
    return Future.succeededFuture(requests.stream().map(GrantRequest::stockRequest).toList())
        .compose(all -> parts.stock.at(bucket.partition()).reserve(bucket.id(), all))
        .<Void>transform(
            reply -> {
              parts.traces.reserved(bucket, batch, reply);
              if (reply.succeeded()) {
                decide(bucket, batch, reply.result());
              } else {
                refuseAll(bucket, batch, reply.cause());
              }
              return parts.recorder.room(bucket.partition());
            })
        .onFailure(
            cause ->
                log.atError()
                    .setCause(cause)
                    .addKeyValue("bucket", bucket)
                    .log("batch of requests to Redis not decided"));
  }

  /** The outcome is unknown. The waiting requests were not sent, and would most likely fail too. */
  private void refuseAll(PlacedBucket bucket, GrantBatch<GrantRequest> batch, Throwable cause) {
    boolean full = cause instanceof StockUnavailableException failure && failure.isFull();
    last.forget(bucket);
    Refused refusal = full ? Refusals.full() : Refusals.unavailable();
    batch.requests().forEach(request -> request.answer(refusal));
    lanes.drain(bucket).forEach(request -> request.answer(refusal));
  }

  private void decide(PlacedBucket bucket, GrantBatch<GrantRequest> batch, ReserveReply reply) {
    List<GrantRequest> requests = batch.requests();
    if (reply.code() == BucketCode.ABSENT || reply.code() == BucketCode.OTHER_SALE) {
      parts.doubted.accept(bucket.id().skuId());
    }
    if (reply.code() != BucketCode.OK) {
      last.forget(bucket);
      boolean isAbsent = reply.code() == BucketCode.ABSENT;
      requests.forEach(
          isAbsent ? parts.ended::answer : request -> request.answer(Refusals.loading()));
      return;
    }
    Sku sku = requests.get(0).sku();
    leases.note(sku, bucket, batch.startNanos(), reply);
    last.note(sku, bucket, requests.size(), reply);
    if (batch.isLate()) {
      batch.giveUp();
      return;
    }
    if (reply.outcomes().size() != requests.size()) {
      throw new IllegalStateException(
          "Expected " + requests.size() + " outcomes, but got " + reply.outcomes().size());
    }
    List<UnackedGrant> unacked = answerUnrecorded(requests, reply);
    if (!unacked.isEmpty()) {
      empty.granted(sku, bucket, reply.available());
    }
    parts.answers.record(bucket.partition(), batch, reply.run(), unacked);
  }

  /** Answers the requests that need no record, and returns those that do. */
  private List<UnackedGrant> answerUnrecorded(List<GrantRequest> requests, ReserveReply reply) {
    List<UnackedGrant> unacked = new ArrayList<>();
    List<GrantRequest> repeats = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      GrantRequest request = requests.get(i);
      GrantOutcome outcome = reply.outcomes().get(i);
      if (outcome instanceof GrantOutcome.Granted granted) {
        parts.grants.increment();
        unacked.add(new UnackedGrant(request, granted.grant(), true));
      } else if (outcome instanceof GrantOutcome.Already already && already.unbooked()) {
        unacked.add(new UnackedGrant(request, already.grant(), false));
      } else if (outcome instanceof GrantOutcome.Already already) {
        repeats.add(request);
        parts.answers.tellStatus(request, already.grant());
      } else if (outcome instanceof GrantOutcome.Refused refused) {
        refuse(request, refused.refusal(), reply.available());
      }
    }
    parts.answers.giveUpLater(repeats);
    return unacked;
  }

  private void refuse(GrantRequest request, Refusal refusal, long available) {
    if (refusal == Refusal.SOLD_OUT) {
      empty.refuse(request, available);
    } else {
      request.answer(Refusals.of(refusal, request.stockRequest()));
    }
  }
}
