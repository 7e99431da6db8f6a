package io.sluice.reservation.grant;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.sluice.async.KeyedBatcher;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.reservation.grant.PlacedOrder.Accepted;
import io.sluice.reservation.grant.PlacedOrder.Refused;
import io.sluice.reservation.order.BookedOrders;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings wishes to Redis in batches, one per bucket at a time, and the grants of a batch into the
 * log as one record. Knows nothing of buyers, keys or admission.
 */
final class GrantBatcher {
  static final int BATCH_MAX = 256;

  /** How long a repeated request waits for its order's status before it tells what it knows. */
  static final Duration STATUS_WAIT = Duration.ofMillis(300);

  private static final Set<OrderStatus> LIVE =
      EnumSet.of(OrderStatus.RESERVED, OrderStatus.PENDING, OrderStatus.CONFIRMED);

  private static final Logger log = LoggerFactory.getLogger(GrantBatcher.class);

  /** A yes as soon as the record is durable. */
  private record Yes(GrantRequest wish, Grant grant, boolean fresh) {}

  private final StockStore stock;
  private final GrantRecorder recorder;
  private final SoldOutCheck soldOut;
  private final SoldOutLeases leases;
  private final BookedOrders booked;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final Duration deadline;
  private final Counter grants;
  private final DistributionSummary batchSize;
  private final KeyedBatcher<BucketId, GrantRequest> lanes =
      new KeyedBatcher<>(BATCH_MAX, this::send);

  GrantBatcher(
      StockStore stock,
      GrantRecorder recorder,
      BookedOrders booked,
      LoopContext loop,
      Duration deadline,
      Meters meters) {
    this.stock = stock;
    this.recorder = recorder;
    this.soldOut = new SoldOutCheck(stock);
    this.leases = new SoldOutLeases(stock, loop);
    this.booked = booked;
    this.loop = loop;
    this.deadlines = new TimerQueue(loop);
    this.deadline = deadline;
    this.grants = meters.grants();
    this.batchSize = meters.grantBatchSize();
  }

  void add(GrantRequest wish) {
    lanes.add(wish.bucket(), wish);
  }

  /** Whether it is certain, without asking Redis, that this would be refused as sold out. */
  boolean isSoldOut(Sku sku, StockStore.Request request) {
    return leases.isSoldOut(sku, request);
  }

  /** What waited for a call that brought a lease need not ask again: one question renews it. */
  private Future<Void> send(BucketId bucket, List<GrantRequest> waiting) {
    List<GrantRequest> wishes = new ArrayList<>(waiting.size());
    for (GrantRequest wish : waiting) {
      if (leases.isSoldOut(wish.sku(), wish.request())) {
        wish.answer(Refusals.soldOut(wish.request().qty(), 0));
      } else {
        wishes.add(wish);
      }
    }
    return wishes.isEmpty() ? Future.succeededFuture() : ask(bucket, wishes);
  }

  private Future<Void> ask(BucketId bucket, List<GrantRequest> wishes) {
    batchSize.record(wishes.size());
    GrantBatch batch = new GrantBatch(loop, deadlines, deadline, wishes);
    return Future.succeededFuture(wishes.stream().map(GrantRequest::request).toList())
        .compose(requests -> stock.reserve(bucket, requests))
        .<Void>transform(
            reply -> {
              if (reply.succeeded()) {
                decide(bucket, batch, reply.result());
              } else {
                refuseAll(bucket, batch, reply.cause());
              }
              return recorder.room(bucket);
            })
        .onFailure(
            cause ->
                log.atError()
                    .setCause(cause)
                    .addKeyValue("bucket", bucket)
                    .log("Batch not decided"));
  }

  /** The outcome is unknown; what waits behind was never sent, and would fare no better now. */
  private void refuseAll(BucketId bucket, GrantBatch batch, Throwable cause) {
    boolean full = cause instanceof StockUnavailableException failure && failure.isFull();
    Refused refusal = full ? Refusals.full() : Refusals.unavailable();
    batch.wishes().forEach(wish -> wish.answer(refusal));
    lanes.drain(bucket).forEach(wish -> wish.answer(refusal));
  }

  private void decide(BucketId bucket, GrantBatch batch, ReserveReply reply) {
    List<GrantRequest> wishes = batch.wishes();
    if (reply.code() != BucketCode.OK) {
      wishes.forEach(wish -> wish.answer(Refusals.loading()));
      return;
    }
    leases.note(wishes.get(0).sku(), bucket, batch.startNanos(), reply);
    if (batch.isLate()) {
      batch.giveUp();
      return;
    }
    if (reply.outcomes().size() != wishes.size()) {
      throw new IllegalStateException(
          "Expected " + wishes.size() + " outcomes, but got " + reply.outcomes().size());
    }
    List<Yes> yeses = answerNos(wishes, reply);
    yeses.stream()
        .collect(Collectors.groupingBy(yes -> yes.wish().route()))
        .forEach((route, ofRoute) -> record(bucket, batch, route, ofRoute));
  }

  /** Answers what needs no record, and returns what does. */
  private List<Yes> answerNos(List<GrantRequest> wishes, ReserveReply reply) {
    List<Yes> yeses = new ArrayList<>();
    List<GrantRequest> repeats = new ArrayList<>();
    for (int i = 0; i < wishes.size(); i++) {
      GrantRequest wish = wishes.get(i);
      GrantOutcome outcome = reply.outcomes().get(i);
      if (outcome instanceof GrantOutcome.Granted granted) {
        grants.increment();
        yeses.add(new Yes(wish, granted.grant(), true));
      } else if (outcome instanceof GrantOutcome.Already already && already.unbooked()) {
        yeses.add(new Yes(wish, already.grant(), false));
      } else if (outcome instanceof GrantOutcome.Already already) {
        repeats.add(wish);
        tellStatus(wish, already.grant());
      } else if (outcome instanceof GrantOutcome.Refused refused) {
        refuse(wish, refused.refusal(), reply.available());
      }
    }
    if (!repeats.isEmpty()) {
      deadlines.after(STATUS_WAIT, () -> repeats.forEach(GrantRequest::giveUp));
    }
    return yeses;
  }

  private void record(BucketId bucket, GrantBatch batch, GrantRoute route, List<Yes> yeses) {
    for (int from = 0; from < yeses.size(); from += LogLanes.RECORD_COMMANDS_MAX) {
      int to = Math.min(from + LogLanes.RECORD_COMMANDS_MAX, yeses.size());
      recordOnce(bucket, batch, route, yeses.subList(from, to));
    }
  }

  /**
   * Says yes to all of them once they are durable, in time; nothing is undone where they are not.
   */
  private void recordOnce(BucketId bucket, GrantBatch batch, GrantRoute route, List<Yes> yeses) {
    Map<OrderToken, Grant> distinct = new LinkedHashMap<>();
    yeses.forEach(yes -> distinct.put(yes.grant().token(), yes.grant()));
    recorder
        .record(bucket, route, distinct.values())
        .onComplete(
            done -> {
              boolean inTime = done.succeeded() && !batch.isLate();
              Map<OrderToken, Order> durable = inTime ? done.result() : Map.of();
              yeses.forEach(yes -> yes.wish().answer(answer(yes, durable)));
            });
  }

  /** What was booked directly may have been known before, and have ended. */
  private static PlacedOrder answer(Yes yes, Map<OrderToken, Order> durable) {
    Order order = durable.get(yes.grant().token());
    return order != null && LIVE.contains(order.status())
        ? new Accepted(order, yes.fresh())
        : Refusals.unavailable();
  }

  /** A holder's 200 does not depend on what more can be learnt. */
  private void tellStatus(GrantRequest wish, Grant grant) {
    Order asGranted = booked(grant);
    wish.otherwise(new Accepted(asGranted, false));
    booked
        .findBooked(grant.token())
        .onComplete(
            found -> {
              Order order = found.succeeded() ? found.result().orElse(asGranted) : asGranted;
              wish.answer(new Accepted(order, false));
            });
  }

  /** The least that is true of a grant that is in the ledger. */
  private static Order booked(Grant grant) {
    OrderStatus status = grant.confirmsOnBooking() ? OrderStatus.CONFIRMED : OrderStatus.PENDING;
    return Order.reserved(grant).changed(status, null, grant.grantedAtMs());
  }

  private void refuse(GrantRequest wish, Refusal refusal, long available) {
    if (refusal != Refusal.SOLD_OUT) {
      wish.answer(Refusals.of(refusal, wish.request()));
      return;
    }
    wish.otherwise(Refusals.emptyBucket());
    soldOut
        .isSoldOut(wish.sku(), wish.bucket())
        .onComplete(
            all ->
                wish.answer(
                    all.succeeded() && all.result()
                        ? Refusals.soldOut(wish.request().qty(), available)
                        : Refusals.emptyBucket()));
  }
}
