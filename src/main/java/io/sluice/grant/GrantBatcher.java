package io.sluice.grant;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.sluice.async.Batcher;
import io.sluice.async.Batcher.KeyedBatcher;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.order.OrderFinder;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.Stock;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to Redis in batches, and has their grants recorded together. An order of one line
 * goes to {@code reserve}, one call per bucket at a time or some full ones; an order of several to
 * {@code reserve_carts}, in the same way per partition. Knows nothing of buyers, keys or admission.
 */
final class GrantBatcher {
  static final int BATCH_MAX = 256;

  /**
   * Calls of a lane in flight, if they are full: in a stampede thousands of requests are read
   * before the reply to the one before.
   */
  static final int FULL_CALLS_MAX = 4;

  /** Even if each line is of another bucket, a call has no more buckets than it may have. */
  private static final Batcher.Limits CARTS =
      new Batcher.Limits(1, StockStore.CARTS_MAX, StockStore.CART_BUCKETS_MAX, FULL_CALLS_MAX);

  /**
   * How long a repeated request waits for its order's status before it is answered with what is
   * known.
   */
  static final Duration STATUS_WAIT = Duration.ofMillis(300);

  private static final Logger log = LoggerFactory.getLogger(GrantBatcher.class);

  private final Stock stock;
  private final GrantRecorder recorder;
  private final GrantTraces traces;
  private final OrderFinder booked;
  private final EndedSkus ended;
  private final LongConsumer doubted;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final Duration deadline;
  private final SoldOutLeases leases;
  private final EmptyBuckets empty;
  private final LastUnits last;
  private final Counter grants;
  private final DistributionSummary batchSize;
  private final KeyedBatcher<PlacedBucket, GrantRequest> ofBucket =
      new KeyedBatcher<>(BATCH_MAX, FULL_CALLS_MAX, (bucket, waiting) -> send(waiting));
  private final KeyedBatcher<Integer, GrantRequest> ofPartition =
      new KeyedBatcher<>(CARTS, GrantRequest::size, (partition, waiting) -> send(waiting));

  /**
   * @param doubted given a SKU with a bucket that is not where it should be, or in another sale
   * @param lastFactor requests on their way per unit left, at the last units
   */
  GrantBatcher(
      Stock stock,
      GrantRecorder recorder,
      GrantTraces traces,
      Borrowing borrowing,
      OrderFinder booked,
      EndedSkus ended,
      LongConsumer doubted,
      LoopContext loop,
      Duration deadline,
      int lastFactor,
      Meters meters) {
    this.stock = stock;
    this.recorder = recorder;
    this.traces = traces;
    this.booked = booked;
    this.ended = ended;
    this.doubted = doubted;
    this.loop = loop;
    this.deadlines = new TimerQueue(loop);
    this.deadline = deadline;
    this.leases = new SoldOutLeases(stock, loop, meters);
    this.empty = new EmptyBuckets(new SoldOutCheck(stock, loop), leases, borrowing);
    this.last = new LastUnits(lastFactor, loop, meters.lastRefusals());
    this.grants = meters.grants();
    this.batchSize = meters.grantBatchSize();
  }

  void add(GrantRequest request) {
    PlacedBucket lead = request.bucket(0);
    if (request.size() == 1) {
      ofBucket.add(lead, request);
    } else {
      ofPartition.add(lead.partition(), request);
    }
  }

  /** The first line for which Redis would certainly refuse as sold out; -1 for none. */
  int soldOutLine(List<Sku> skus, StockStore.Request asked) {
    return leases.soldOutLine(skus, asked);
  }

  /**
   * A reply may have brought a lease meanwhile. Requests that it covers are not sent; one request
   * at a time renews it.
   */
  private Future<Void> send(List<GrantRequest> waiting) {
    List<GrantRequest> requests = new ArrayList<>(waiting.size());
    Map<BucketId, Long> sales = sales(waiting);
    for (GrantRequest request : waiting) {
      if (!isOfSales(request, sales)) {
        request.answer(Refusals.LOADING);
        continue;
      }
      int soldOut = leases.soldOutLine(request.skus(), request.asked());
      if (soldOut >= 0) {
        request.answer(Refusals.of(Refusal.SOLD_OUT, request.asked(), soldOut, 0));
      } else {
        requests.add(request);
      }
    }
    boolean isOfBucket = waiting.get(0).size() == 1;
    List<GrantRequest> sent =
        isOfBucket ? last.letIn(waiting.get(0).bucket(0), requests) : requests;
    return sent.isEmpty() ? Future.succeededFuture() : ask(sent);
  }

  /**
   * A call believes each bucket in one sale, as the request does that was let in last. One that was
   * let in before the SKU was read again has its former entry.
   */
  private static Map<BucketId, Long> sales(List<GrantRequest> waiting) {
    GrantRequest last = waiting.get(waiting.size() - 1);
    if (last.size() == 1) {
      return Map.of(last.bucket(0).id(), last.asked().saleNo());
    }
    Map<BucketId, Long> sales = new HashMap<>();
    for (GrantRequest request : waiting) {
      request.asked().lines().forEach(line -> sales.put(line.bucket(), line.saleNo()));
    }
    return sales;
  }

  private static boolean isOfSales(GrantRequest request, Map<BucketId, Long> sales) {
    for (int line = 0; line < request.size(); line++) {
      Long saleNo = sales.get(request.bucket(line).id());
      if (saleNo != null && saleNo != request.sku(line).saleNo()) {
        return false;
      }
    }
    return true;
  }

  private Future<Void> ask(List<GrantRequest> requests) {
    empty.asked(requests);
    batchSize.record(requests.size());
    GrantRequest.Batch batch = new GrantRequest.Batch(loop, deadlines, deadline, requests);
    return Future.succeededFuture(batch)
        .compose(this::reserve)
        .<Void>transform(
            reply -> {
              traces.reserved(batch, reply);
              if (reply.succeeded()) {
                decide(batch, reply.result());
              } else {
                refuseAll(batch, reply.cause());
              }
              return recorder.room(batch.lead().partition());
            })
        .onFailure(
            cause ->
                log.atError()
                    .setCause(cause)
                    .addKeyValue("bucket", batch.lead())
                    .log("batch of requests to Redis not decided"));
  }

  private Future<ReserveReply> reserve(GrantRequest.Batch batch) {
    List<StockStore.Request> asked = new ArrayList<>(batch.requests().size());
    batch.requests().forEach(request -> asked.add(request.asked()));
    StockStore store = stock.at(batch.lead().partition());
    return batch.isOfBucket() ? store.reserve(batch.lead().id(), asked) : store.reserveCarts(asked);
  }

  /** The outcome is unknown. The waiting requests were not sent, and would most likely fail too. */
  private void refuseAll(GrantRequest.Batch batch, Throwable cause) {
    boolean full = cause instanceof StockUnavailableException failure && failure.isFull();
    Refused refusal = full ? Refusals.FULL : Refusals.UNAVAILABLE;
    batch.requests().forEach(request -> request.answer(refusal));
    if (batch.isOfBucket()) {
      last.forget(batch.lead());
      ofBucket.drain(batch.lead()).forEach(request -> request.answer(refusal));
    } else {
      ofPartition.drain(batch.lead().partition()).forEach(request -> request.answer(refusal));
    }
  }

  private void decide(GrantRequest.Batch batch, ReserveReply reply) {
    List<GrantRequest> requests = batch.requests();
    Decisions decisions = new Decisions(reply);
    if (reply.code() != BucketCode.OK) {
      last.forget(batch.lead());
      GrantOutcome.Away away = new GrantOutcome.Away(reply.code(), batch.lead().id());
      requests.forEach(request -> decisions.away(request, away));
      return;
    }
    noteLeases(batch, reply);
    if (batch.isOfBucket()) {
      last.note(requests.get(0).sku(0), batch.lead(), requests.size(), reply);
    }
    if (batch.isLate()) {
      batch.giveUp();
      return;
    }
    if (reply.outcomes().size() != requests.size()) {
      throw new IllegalStateException(
          "Expected " + requests.size() + " outcomes, but got " + reply.outcomes().size());
    }
    for (int i = 0; i < requests.size(); i++) {
      reply.outcomes().get(i).decide(requests.get(i), decisions);
    }
    if (batch.isOfBucket() && !decisions.unacked.isEmpty()) {
      empty.granted(requests.get(0).sku(0), batch.lead(), reply.available());
    }
    decisions.giveUpLater();
    recorder.record(batch, reply.run(), decisions.unacked);
  }

  private void noteLeases(GrantRequest.Batch batch, ReserveReply reply) {
    if (batch.isOfBucket()) {
      leases.note(batch.requests().get(0).sku(0), batch.lead(), batch.startNanos(), reply);
      return;
    }
    Set<BucketId> noted = new HashSet<>();
    for (GrantRequest request : batch.requests()) {
      for (int line = 0; line < request.size(); line++) {
        PlacedBucket bucket = request.bucket(line);
        ReserveReply ofBucket = reply.of(bucket.id());
        if (noted.add(bucket.id()) && ofBucket != null && ofBucket.code() == BucketCode.OK) {
          leases.note(request.sku(line), bucket, batch.startNanos(), ofBucket);
        }
      }
    }
  }

  /** What becomes of the requests of a batch. Those that need no record are answered. */
  private final class Decisions implements GrantOutcome.Cases<GrantRequest> {
    private final ReserveReply reply;
    private final List<GrantRequest.Unacked> unacked = new ArrayList<>();
    private final List<GrantRequest> repeats = new ArrayList<>();

    Decisions(ReserveReply reply) {
      this.reply = reply;
    }

    @Override
    public void granted(GrantRequest request, GrantOutcome.Granted outcome) {
      grants.increment();
      for (int line = 0; line < request.size() && request.size() > 1; line++) {
        PlacedBucket bucket = request.bucket(line);
        empty.granted(request.sku(line), bucket, available(bucket.id()));
      }
      unacked.add(new GrantRequest.Unacked(request, outcome.grant(), true));
    }

    @Override
    public void already(GrantRequest request, GrantOutcome.Already outcome) {
      if (outcome.unbooked()) {
        unacked.add(new GrantRequest.Unacked(request, outcome.grant(), false));
      } else {
        repeats.add(request);
        tellStatus(request, outcome.grant());
      }
    }

    @Override
    public void refused(GrantRequest request, GrantOutcome.Refused outcome) {
      int line = outcome.line();
      if (outcome.refusal() == Refusal.SOLD_OUT && (line >= 0 || request.size() == 1)) {
        int soldOut = Math.max(0, line);
        empty.refuse(request, soldOut, available(request.bucket(soldOut).id()));
      } else if (outcome.refusal() == Refusal.ORDER_ENDED && request.size() > 1) {
        ended.answerEnded(request);
      } else {
        request.refuse(outcome.refusal(), line, 0);
      }
    }

    @Override
    public void away(GrantRequest request, GrantOutcome.Away outcome) {
      BucketId bucket = outcome.bucket();
      if (outcome.code() == BucketCode.ABSENT || outcome.code() == BucketCode.OTHER_SALE) {
        doubted.accept(bucket.skuId());
      }
      if (outcome.code() == BucketCode.ABSENT) {
        ended.answer(request, bucket);
      } else {
        int line = request.lineOf(bucket.skuId());
        request.answer(Refusals.ofLine(Refusals.LOADING, request.asked(), line));
      }
    }

    @Override
    public void torn(GrantRequest request) {
      request.answer(Refusals.TORN);
    }

    private long available(BucketId bucket) {
      ReserveReply ofBucket = reply.of(bucket);
      return ofBucket == null ? 0 : Math.max(0, ofBucket.available());
    }

    /** They are answered with what is known of them, if their status is not read in time. */
    void giveUpLater() {
      if (!repeats.isEmpty()) {
        deadlines.after(STATUS_WAIT, () -> repeats.forEach(GrantRequest::giveUp));
      }
    }
  }

  /** Reads the order's current status, but the 200 does not depend on that read. */
  private void tellStatus(GrantRequest request, Grant grant) {
    OrderStatus certain = grant.confirmsOnBooking() ? OrderStatus.CONFIRMED : OrderStatus.PENDING;
    Order asGranted = Order.reserved(grant).changed(certain, null, grant.grantedAtMs());
    request.otherwise(new Accepted(asGranted, false));
    booked
        .findBooked(grant.token())
        .onComplete(
            found -> {
              Order order = found.succeeded() ? found.result().orElse(asGranted) : asGranted;
              request.answer(new Accepted(order, false));
            });
  }
}
