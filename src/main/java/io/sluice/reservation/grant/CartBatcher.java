package io.sluice.reservation.grant;

import io.sluice.async.Batcher;
import io.sluice.async.KeyedBatcher;
import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.stock.BucketCode;
import io.sluice.stock.CartOutcome;
import io.sluice.stock.CartReply;
import io.sluice.stock.CartRequest;
import io.sluice.stock.CartRequest.Line;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests for several SKUs to Redis in batches, one per partition at a time or some full
 * ones. Like {@link GrantBatcher}, it knows nothing of buyers, keys or admission.
 */
final class CartBatcher {
  /** Even if each line is of another bucket, a call has no more buckets than it may have. */
  static final Batcher.Limits BATCH =
      new Batcher.Limits(
          1, StockStore.CARTS_MAX, StockStore.CART_BUCKETS_MAX, GrantBatcher.FULL_CALLS_MAX);

  private static final Logger log = LoggerFactory.getLogger(CartBatcher.class);

  private final GrantParts parts;
  private final KeyedBatcher<Integer, CartGrantRequest> lanes =
      new KeyedBatcher<>(BATCH, request -> request.lines().size(), this::send);

  CartBatcher(GrantParts parts) {
    this.parts = parts;
  }

  /**
   * @param partition of all its buckets
   */
  void add(int partition, CartGrantRequest request) {
    lanes.add(partition, request);
  }

  /**
   * The line for which Redis would certainly refuse the request as sold out; -1 for none.
   *
   * @param skus of its lines, in their order
   */
  int soldOutLine(List<Sku> skus, CartRequest request) {
    for (int i = 0; i < skus.size(); i++) {
      if (parts.leases.isSoldOut(skus.get(i), StockStore.Request.ofLine(request, i))) {
        return i;
      }
    }
    return -1;
  }

  private Future<Void> send(int partition, List<CartGrantRequest> waiting) {
    List<CartGrantRequest> requests = new ArrayList<>(waiting.size());
    Map<BucketId, Long> sales = new HashMap<>();
    // A call believes each bucket in one sale: as whom was let in last does.
    waiting.forEach(
        request -> request.lines().forEach(line -> sales.put(line.bucket(), line.saleNo())));
    for (CartGrantRequest request : waiting) {
      int soldOut = soldOutLine(request.skus(), request.stockRequest());
      if (!request.lines().stream().allMatch(line -> isOfSale(line, sales))) {
        request.answer(Refusals.loading());
      } else if (soldOut >= 0) {
        request.answer(refusal(request.stockRequest(), Refusal.SOLD_OUT, soldOut, 0));
      } else {
        requests.add(request);
      }
    }
    return requests.isEmpty() ? Future.succeededFuture() : ask(partition, requests);
  }

  private static boolean isOfSale(Line line, Map<BucketId, Long> sales) {
    return sales.getOrDefault(line.bucket(), line.saleNo()) == line.saleNo();
  }

  private Future<Void> ask(int partition, List<CartGrantRequest> requests) {
    requests.forEach(this::noteWishes);
    GrantBatch<CartGrantRequest> batch = parts.batch(requests);
    return Future.succeededFuture(requests.stream().map(CartGrantRequest::stockRequest).toList())
        .compose(carts -> parts.stock.at(partition).reserveCarts(carts))
        .<Void>transform(
            reply -> {
              parts.traces.reserved(partition, batch, reply);
              if (reply.succeeded()) {
                decide(partition, batch, reply.result());
              } else {
                refuseAll(partition, batch, reply.cause());
              }
              return parts.recorder.room(partition);
            })
        .onFailure(
            cause ->
                log.atError()
                    .setCause(cause)
                    .addKeyValue("partition", partition)
                    .log("batch of carts to Redis not decided"));
  }

  private void noteWishes(CartGrantRequest request) {
    for (int line = 0; line < request.lines().size(); line++) {
      parts.empty.asked(request.sku(line), request.bucket(line), request.lines().get(line).qty());
    }
  }

  /** The outcome is unknown. The waiting requests were not sent, and would most likely fail too. */
  private void refuseAll(int partition, GrantBatch<CartGrantRequest> batch, Throwable cause) {
    boolean full = cause instanceof StockUnavailableException failure && failure.isFull();
    PlacedOrder refusal = full ? Refusals.full() : Refusals.unavailable();
    batch.requests().forEach(request -> request.answer(refusal));
    lanes.drain(partition).forEach(request -> request.answer(refusal));
  }

  private void decide(int partition, GrantBatch<CartGrantRequest> batch, CartReply reply) {
    List<CartGrantRequest> requests = batch.requests();
    noteLeases(batch, reply);
    if (batch.isLate()) {
      batch.giveUp();
      return;
    }
    if (reply.outcomes().size() != requests.size()) {
      throw new IllegalStateException(
          "Expected " + requests.size() + " outcomes, but got " + reply.outcomes().size());
    }
    List<UnackedGrant> unacked = new ArrayList<>();
    List<CartGrantRequest> repeats = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      decide(requests.get(i), reply.outcomes().get(i), reply, unacked, repeats);
    }
    parts.answers.giveUpLater(repeats);
    parts.answers.record(partition, batch, reply.run(), unacked);
  }

  private void noteLeases(GrantBatch<CartGrantRequest> batch, CartReply reply) {
    Set<BucketId> noted = new HashSet<>();
    for (CartGrantRequest request : batch.requests()) {
      for (int line = 0; line < request.lines().size(); line++) {
        BucketId bucket = request.lines().get(line).bucket();
        ReserveReply ofBucket = reply.buckets().get(bucket);
        if (noted.add(bucket) && ofBucket != null && ofBucket.code() == BucketCode.OK) {
          parts.leases.note(request.sku(line), request.bucket(line), batch.startNanos(), ofBucket);
        }
      }
    }
  }

  private void decide(
      CartGrantRequest request,
      CartOutcome outcome,
      CartReply reply,
      List<UnackedGrant> unacked,
      List<CartGrantRequest> repeats) {
    if (outcome instanceof CartOutcome.Granted granted) {
      parts.grants.increment();
      for (int line = 0; line < request.lines().size(); line++) {
        PlacedBucket bucket = request.bucket(line);
        parts.empty.granted(request.sku(line), bucket, available(reply, bucket.id()));
      }
      unacked.add(new UnackedGrant(request, granted.lead(), true));
    } else if (outcome instanceof CartOutcome.Already already && already.unbooked()) {
      unacked.add(new UnackedGrant(request, already.lead(), false));
    } else if (outcome instanceof CartOutcome.Already already) {
      repeats.add(request);
      parts.answers.tellStatus(request, already.lead());
    } else if (outcome instanceof CartOutcome.Away away) {
      if (away.code() == BucketCode.ABSENT || away.code() == BucketCode.OTHER_SALE) {
        parts.doubted.accept(away.bucket().skuId());
      }
      away(request, away);
    } else if (outcome instanceof CartOutcome.Torn) {
      request.answer(Refusals.torn());
    } else {
      refuse(request, (CartOutcome.Refused) outcome, reply);
    }
  }

  private void away(CartGrantRequest request, CartOutcome.Away away) {
    BucketId bucket = away.bucket();
    if (away.code() == BucketCode.ABSENT) {
      parts.ended.answer(request, bucket);
    } else {
      request.answer(Refusals.loading().ofLine(bucket.skuId()));
    }
  }

  private void refuse(CartGrantRequest request, CartOutcome.Refused refused, CartReply reply) {
    if (refused.refusal() == Refusal.KEY_MISMATCH) {
      request.answer(Refusals.otherLines());
    } else if (refused.refusal() == Refusal.ORDER_ENDED) {
      parts.ended.answerEnded(request);
    } else if (refused.line() < 0) {
      request.answer(
          Refusals.of(refused.refusal(), StockStore.Request.ofLine(request.stockRequest(), 0)));
    } else if (refused.refusal() != Refusal.SOLD_OUT) {
      request.answer(refusal(request.stockRequest(), refused.refusal(), refused.line(), 0));
    } else {
      Line asked = request.lines().get(refused.line());
      long available = available(reply, asked.bucket());
      int line = refused.line();
      parts.empty.refuse(
          new EmptyBuckets.Wish(
              request,
              request.sku(line),
              request.bucket(line),
              asked.qty(),
              asked.bucket().skuId(),
              available));
    }
  }

  private static long available(CartReply reply, BucketId bucket) {
    ReserveReply ofBucket = reply.buckets().get(bucket);
    return ofBucket == null ? 0 : Math.max(0, ofBucket.available());
  }

  /** The refusal of a request because of one of its lines. */
  static PlacedOrder.Refused refusal(
      CartRequest request, Refusal refusal, int line, long available) {
    StockStore.Request asked = StockStore.Request.ofLine(request, line);
    PlacedOrder.Refused refused =
        refusal == Refusal.SOLD_OUT
            ? Refusals.soldOut(asked.qty(), available)
            : Refusals.of(refusal, asked);
    return refused.ofLine(asked.token().skuId());
  }
}
