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
import java.util.function.Supplier;

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

  /** Requests that share a transaction; others join until there is a connection for it. */
  private final class Batch implements Supplier<List<Wish>> {
    private final Lane lane;
    private final List<GrantRequest> all;
    private List<GrantRequest> placed = List.of();
    private boolean ended;

    Batch(Lane lane, List<GrantRequest> all) {
      this.lane = lane;
      this.all = all;
    }

    /** What was given up while it waited is not placed: nobody would hear of the order. */
    @Override
    public List<Wish> get() {
      if (!ended) {
        lanes.join(lane, all);
        placed = all.stream().filter(DirectPlacing::isOpen).toList();
      }
      return wishes(placed);
    }

    private Future<Void> send() {
      return (all.stream().anyMatch(DirectPlacing::isOpen) ? decide() : nothing())
          .onFailure(unknown -> all.forEach(DirectPlacing::unknown))
          .onComplete(
              done -> {
                ended = true;
                waiting -= all.size();
              });
    }

    private Future<Void> decide() {
      return place(lane, this)
          .onSuccess(outcomes -> batchSize.record(outcomes.size()))
          .map(outcomes -> answer(placed, outcomes))
          .compose(elsewhere -> elsewhere.isEmpty() ? nothing() : again(lane, elsewhere));
    }
  }

  private Future<Void> send(Lane lane, List<GrantRequest> requests) {
    return new Batch(lane, requests).send().onFailure(unknown -> drain(lane));
  }

  private static boolean isOpen(GrantRequest request) {
    return !request.answer().isComplete();
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

  private Future<List<Outcome>> place(Lane lane, Supplier<List<Wish>> wishes) {
    return Future.succeededFuture(wishes)
        .compose(asked -> ledger.place(lane.skuId(), lane.saleNo(), asked));
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
        .transform(gathered -> place(lane, () -> wishes(elsewhere)))
        .map(outcomes -> answer(elsewhere, outcomes))
        .map(
            still -> {
              still.forEach(request -> request.answer(Refusals.emptyBucket()));
              return null;
            });
  }

  private static List<Wish> wishes(List<GrantRequest> requests) {
    return requests.stream().map(DirectPlacing::wish).toList();
  }

  private static Wish wish(GrantRequest request) {
    StockStore.Request wanted = request.stockRequest();
    return new Wish(wanted.token(), wanted.userId(), wanted.qty(), wanted.reference());
  }

  /** Answers the requests, except for those whose buckets lack units that others have. */
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
