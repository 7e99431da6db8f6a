package io.sluice.reservation.grant;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.sluice.async.KeyedBatcher;
import io.sluice.async.TimerQueue;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Refusal;
import io.sluice.reservation.grant.PlacedOrder.Accepted;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Places orders for SKUs that sell in the ledger alone; docs/design.md section 9. Requests of this
 * event loop that arrive together share a transaction, one per SKU at a time.
 *
 * <p>A yes follows the commit. Where the outcome of a transaction is unknown, its requests are
 * answered so, and repeated ones find what there is.
 */
final class DirectPlacing {
  /** Requests for one SKU in one of its sales. */
  private record Lane(long skuId, long saleNo) {}

  private final DirectLedger ledger;
  private final LongConsumer doubted;
  private final TimerQueue deadlines;
  private final Duration deadline;
  private final Counter grants;
  private final Counter bookings;
  private final DistributionSummary batchSize;
  private final KeyedBatcher<Lane, GrantRequest> lanes =
      new KeyedBatcher<>(DirectLedger.WISHES_MAX, this::send);
  private final int waitingMax;
  private int waiting;

  /**
   * @param doubted told of a SKU that is in another sale
   * @param waitingMax the maximum number of requests whose outcome is open, whether or not their
   *     buyers still wait
   */
  DirectPlacing(
      DirectLedger ledger,
      LongConsumer doubted,
      TimerQueue deadlines,
      Duration deadline,
      int waitingMax,
      Meters meters) {
    this.ledger = ledger;
    this.waitingMax = waitingMax;
    this.doubted = doubted;
    this.deadlines = deadlines;
    this.deadline = deadline;
    this.grants = meters.grants();
    this.bookings = meters.directBookings();
    this.batchSize = meters.grantBatchSize();
  }

  /** Answers the request in time, whatever becomes of it. */
  void add(GrantRequest request) {
    if (waiting >= waitingMax) {
      request.answer(Refusals.overloaded());
      return;
    }
    waiting++;
    TimerQueue.Deadline end = deadlines.after(deadline, request::giveUp);
    request.answer().onComplete(answered -> end.cancel());
    lanes.add(new Lane(request.sku().skuId(), request.sku().saleNo()), request);
  }

  /** What was given up while it waited is not placed: nobody would hear of the order. */
  private Future<Void> send(Lane lane, List<GrantRequest> waited) {
    List<GrantRequest> requests =
        waited.stream().filter(request -> !request.answer().isComplete()).toList();
    return (requests.isEmpty() ? nothing() : decide(lane, requests))
        .onFailure(unknown -> requests.forEach(DirectPlacing::unknown))
        .onComplete(done -> waiting -= waited.size())
        .onFailure(unknown -> drain(lane));
  }

  private Future<Void> decide(Lane lane, List<GrantRequest> requests) {
    batchSize.record(requests.size());
    return place(lane, requests)
        .compose(elsewhere -> elsewhere.isEmpty() ? nothing() : again(lane, elsewhere));
  }

  private static void unknown(GrantRequest request) {
    request.answer(Refusals.unavailable());
  }

  /** They would most likely fail, too. */
  private void drain(Lane lane) {
    List<GrantRequest> behind = lanes.drain(lane);
    waiting -= behind.size();
    behind.forEach(DirectPlacing::unknown);
  }

  private static Future<Void> nothing() {
    return Future.succeededFuture();
  }

  /** Answers the requests, except for those whose buckets lack units that others have. */
  private Future<List<GrantRequest>> place(Lane lane, List<GrantRequest> requests) {
    return Future.succeededFuture(requests.stream().map(DirectPlacing::wish).toList())
        .compose(wishes -> ledger.place(lane.skuId(), lane.saleNo(), wishes))
        .map(outcomes -> answer(requests, outcomes));
  }

  /** One attempt: units may have gone elsewhere meanwhile, and the buyer asks again anyway. */
  private Future<Void> again(Lane lane, List<GrantRequest> elsewhere) {
    Map<BucketId, Integer> wanted = new HashMap<>();
    elsewhere.forEach(
        request -> wanted.merge(request.bucket().id(), request.stockRequest().qty(), Integer::max));
    return Future.join(
            wanted.entrySet().stream()
                .map(each -> ledger.gather(each.getKey(), each.getValue()))
                .toList())
        .transform(gathered -> place(lane, elsewhere))
        .map(
            still -> {
              still.forEach(request -> request.answer(Refusals.emptyBucket()));
              return null;
            });
  }

  private static Wish wish(GrantRequest request) {
    StockStore.Request wanted = request.stockRequest();
    return new Wish(wanted.token(), wanted.userId(), wanted.qty(), wanted.reference());
  }

  private List<GrantRequest> answer(List<GrantRequest> requests, List<Outcome> outcomes) {
    List<GrantRequest> elsewhere = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      GrantRequest request = requests.get(i);
      Outcome outcome = outcomes.get(i);
      if (outcome instanceof Outcome.Booked booked) {
        if (booked.fresh()) {
          grants.increment();
          bookings.increment();
        }
        request.answer(new Accepted(booked.order(), booked.fresh()));
      } else if (outcome instanceof Outcome.Refused refused) {
        request.answer(refusal(request, refused));
      } else if (outcome instanceof Outcome.Elsewhere) {
        elsewhere.add(request);
      } else {
        doubted.accept(request.sku().skuId());
        request.answer(Refusals.loading());
      }
    }
    return elsewhere;
  }

  private static PlacedOrder refusal(GrantRequest request, Outcome.Refused refused) {
    return refused.refusal() == Refusal.SOLD_OUT
        ? Refusals.soldOut(request.stockRequest().qty(), refused.available())
        : Refusals.of(refused.refusal(), request.stockRequest());
  }
}
