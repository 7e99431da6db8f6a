package io.sluice.reservation.grant;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.sluice.async.KeyedBatcher;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.metrics.Meters;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.PlacedBucket;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.reservation.grant.PlacedOrder.Accepted;
import io.sluice.reservation.grant.PlacedOrder.Refused;
import io.sluice.reservation.order.BookedOrders;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.Stock;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to Redis in batches, one per bucket at a time or some full ones, and appends the
 * grants of a batch to the log together, in records of at most 128. Knows nothing of buyers, keys
 * or admission.
 */
final class GrantBatcher {
  static final int BATCH_MAX = 256;

  /**
   * Calls of a bucket in flight, where they are full: in a stampede thousands of requests are read
   * before the reply to the one before.
   */
  static final int FULL_CALLS_MAX = 4;

  /**
   * How long a repeated request waits for its order's status before it is answered with what is
   * known.
   */
  static final Duration STATUS_WAIT = Duration.ofMillis(300);

  private static final Set<OrderStatus> LIVE =
      EnumSet.of(OrderStatus.RESERVED, OrderStatus.PENDING, OrderStatus.CONFIRMED);

  private static final Logger log = LoggerFactory.getLogger(GrantBatcher.class);

  private final Stock stock;
  private final GrantRecorder recorder;
  private final GrantTraces traces;
  private final SoldOutLeases leases;
  private final EmptyBuckets empty;
  private final LastUnits last;
  private final BookedOrders booked;
  private final LongConsumer doubted;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final Duration deadline;
  private final Counter grants;
  private final DistributionSummary batchSize;
  private final KeyedBatcher<PlacedBucket, GrantRequest> lanes =
      new KeyedBatcher<>(BATCH_MAX, FULL_CALLS_MAX, this::send);

  /**
   * @param doubted told of a SKU with a bucket that is not where it should be, or in another sale
   */
  GrantBatcher(
      Stock stock,
      GrantRecorder recorder,
      Borrowing borrowing,
      BookedOrders booked,
      LongConsumer doubted,
      LoopContext loop,
      Duration deadline,
      int lastFactor,
      Meters meters,
      Traces traces) {
    this.stock = stock;
    this.recorder = recorder;
    this.traces = new GrantTraces(traces, loop);
    this.leases = new SoldOutLeases(stock, loop, meters);
    this.empty = new EmptyBuckets(stock, leases, borrowing, loop);
    this.last = new LastUnits(lastFactor, loop, meters.lastRefusals());
    this.booked = booked;
    this.doubted = doubted;
    this.loop = loop;
    this.deadlines = new TimerQueue(loop);
    this.deadline = deadline;
    this.grants = meters.grants();
    this.batchSize = meters.grantBatchSize();
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
    // A call is for one sale. Who was let in before the SKU was read again has its former entry.
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
    batchSize.record(requests.size());
    empty.asked(bucket, requests);
    GrantBatch batch = new GrantBatch(loop, deadlines, deadline, requests);
    return Future.succeededFuture(requests.stream().map(GrantRequest::stockRequest).toList())
        .compose(all -> stock.at(bucket.partition()).reserve(bucket.id(), all))
        .<Void>transform(
            reply -> {
              traces.reserved(bucket, batch, reply);
              if (reply.succeeded()) {
                decide(bucket, batch, reply.result());
              } else {
                refuseAll(bucket, batch, reply.cause());
              }
              return recorder.room(bucket.partition());
            })
        .onFailure(
            cause ->
                log.atError()
                    .setCause(cause)
                    .addKeyValue("bucket", bucket)
                    .log("batch of requests to Redis not decided"));
  }

  /** The outcome is unknown. The waiting requests were not sent, and would most likely fail too. */
  private void refuseAll(PlacedBucket bucket, GrantBatch batch, Throwable cause) {
    boolean full = cause instanceof StockUnavailableException failure && failure.isFull();
    last.forget(bucket);
    Refused refusal = full ? Refusals.full() : Refusals.unavailable();
    batch.requests().forEach(request -> request.answer(refusal));
    lanes.drain(bucket).forEach(request -> request.answer(refusal));
  }

  private void decide(PlacedBucket bucket, GrantBatch batch, ReserveReply reply) {
    List<GrantRequest> requests = batch.requests();
    if (reply.code() == BucketCode.ABSENT || reply.code() == BucketCode.OTHER_SALE) {
      doubted.accept(bucket.id().skuId());
    }
    if (reply.code() != BucketCode.OK) {
      last.forget(bucket);
      requests.forEach(request -> request.answer(Refusals.loading()));
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
      empty.granted(sku, bucket);
    }
    unacked.stream()
        .collect(Collectors.groupingBy(each -> each.request().route()))
        .forEach((route, ofRoute) -> record(bucket, batch, reply.run(), route, ofRoute));
  }

  /** Answers the requests that need no record, and returns those that do. */
  private List<UnackedGrant> answerUnrecorded(List<GrantRequest> requests, ReserveReply reply) {
    List<UnackedGrant> unacked = new ArrayList<>();
    List<GrantRequest> repeats = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      GrantRequest request = requests.get(i);
      GrantOutcome outcome = reply.outcomes().get(i);
      if (outcome instanceof GrantOutcome.Granted granted) {
        grants.increment();
        unacked.add(new UnackedGrant(request, granted.grant(), true));
      } else if (outcome instanceof GrantOutcome.Already already && already.unbooked()) {
        unacked.add(new UnackedGrant(request, already.grant(), false));
      } else if (outcome instanceof GrantOutcome.Already already) {
        repeats.add(request);
        tellStatus(request, already.grant());
      } else if (outcome instanceof GrantOutcome.Refused refused) {
        refuse(request, refused.refusal(), reply.available());
      }
    }
    if (!repeats.isEmpty()) {
      deadlines.after(STATUS_WAIT, () -> repeats.forEach(GrantRequest::giveUp));
    }
    return unacked;
  }

  private void record(
      PlacedBucket bucket,
      GrantBatch batch,
      String run,
      GrantRoute route,
      List<UnackedGrant> unacked) {
    for (int from = 0; from < unacked.size(); from += LogBatcher.RECORD_COMMANDS_MAX) {
      int to = Math.min(from + LogBatcher.RECORD_COMMANDS_MAX, unacked.size());
      recordOnce(bucket, batch, run, route, unacked.subList(from, to));
    }
  }

  /**
   * Acknowledges the grants once they are durable, if within the deadline; else nothing is undone.
   */
  private void recordOnce(
      PlacedBucket bucket,
      GrantBatch batch,
      String run,
      GrantRoute route,
      List<UnackedGrant> unacked) {
    Map<OrderToken, Grant> distinct = new LinkedHashMap<>();
    unacked.forEach(each -> distinct.put(each.grant().token(), each.grant()));
    recorder
        .record(bucket.partition(), route, run, distinct.values(), traces.traced(unacked))
        .onComplete(
            done -> {
              boolean inTime = done.succeeded() && !batch.isLate();
              Map<OrderToken, Order> durable = inTime ? done.result() : Map.of();
              unacked.forEach(each -> each.request().answer(answer(each, durable)));
            });
  }

  /** A grant that was booked directly may have been in the ledger before, and have ended. */
  private static PlacedOrder answer(UnackedGrant each, Map<OrderToken, Order> durable) {
    Order order = durable.get(each.grant().token());
    return order != null && LIVE.contains(order.status())
        ? new Accepted(order, each.fresh())
        : Refusals.unavailable();
  }

  /** Reads the order's current status, but the 200 does not depend on that read. */
  private void tellStatus(GrantRequest request, Grant grant) {
    Order asGranted = booked(grant);
    request.otherwise(new Accepted(asGranted, false));
    booked
        .findBooked(grant.token())
        .onComplete(
            found -> {
              Order order = found.succeeded() ? found.result().orElse(asGranted) : asGranted;
              request.answer(new Accepted(order, false));
            });
  }

  /** What is certain of a grant that is in the ledger. */
  private static Order booked(Grant grant) {
    OrderStatus status = grant.confirmsOnBooking() ? OrderStatus.CONFIRMED : OrderStatus.PENDING;
    return Order.reserved(grant).changed(status, null, grant.grantedAtMs());
  }

  private void refuse(GrantRequest request, Refusal refusal, long available) {
    if (refusal == Refusal.SOLD_OUT) {
      empty.refuse(request, available);
    } else {
      request.answer(Refusals.of(refusal, request.stockRequest()));
    }
  }
}
