package io.sluice.grant;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.sluice.async.AsyncLoop;
import io.sluice.async.Batcher;
import io.sluice.async.Batcher.KeyedBatcher;
import io.sluice.async.TimerQueue;
import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Places orders for SKUs that sell in the ledger alone; docs/design-failures.md section 9. Requests
 * of this event loop that arrive together share a transaction, one at a time per SKU, or set of
 * SKUs.
 *
 * <p>A yes follows the commit. If the outcome of a transaction is unknown, its requests are
 * answered so, and repeated ones find what there is.
 */
final class DirectPlacing {
  private final DirectLedger ledger;
  private final LongConsumer doubted;
  private final TimerQueue deadlines;
  private final Duration deadline;
  private final Counter grants;
  private final Counter bookings;
  private final DistributionSummary batchSize;

  /** By the numbers of the sales of their SKUs. */
  private final KeyedBatcher<Map<Long, Long>, GrantRequest> lanes =
      new KeyedBatcher<>(
          new Batcher.Limits(1, DirectLedger.WISHES_MAX, DirectLedger.LINES_MAX),
          GrantRequest::size,
          this::send);

  private final int waitingMax;
  private int waiting;

  /**
   * @param doubted given a SKU that is in another sale
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
      request.answer(Refusals.OVERLOADED);
      return;
    }
    waiting++;
    TimerQueue.Deadline end = deadlines.after(deadline, request::giveUp);
    request.answer().onComplete(answered -> end.cancel());
    lanes.add(sales(request.skus()), request);
  }

  /** The SKUs with the numbers of their sales. */
  private static Map<Long, Long> sales(List<Sku> skus) {
    if (skus.size() == 1) {
      return Map.of(skus.get(0).skuId(), skus.get(0).saleNo());
    }
    Map<Long, Long> sales = new TreeMap<>();
    skus.forEach(sku -> sales.put(sku.skuId(), sku.saleNo()));
    return sales;
  }

  /** What is asked, as the ledger is asked for it. */
  static Wish wish(StockStore.Request asked) {
    List<DirectLedger.Line> lines =
        asked.lines().stream()
            .map(line -> new DirectLedger.Line(line.bucket(), line.qty()))
            .toList();
    return new Wish(asked.token(), asked.userId(), asked.reference(), lines);
  }

  /** Requests that share a transaction; others join until there is a connection for it. */
  private final class Batch implements Supplier<List<Wish>> {
    private final Map<Long, Long> lane;
    private final List<GrantRequest> all;
    private List<GrantRequest> placed = List.of();
    private boolean ended;

    Batch(Map<Long, Long> lane, List<GrantRequest> all) {
      this.lane = lane;
      this.all = all;
    }

    /**
     * A request that was given up while it waited is not placed: nobody would learn of the order.
     */
    @Override
    public List<Wish> get() {
      if (!ended) {
        lanes.join(lane, all);
        placed = all.stream().filter(GrantRequest::isOpen).toList();
      }
      return wishes(placed);
    }

    private Future<Void> send() {
      return (all.stream().anyMatch(GrantRequest::isOpen) ? decide() : nothing())
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

  private Future<Void> send(Map<Long, Long> lane, List<GrantRequest> requests) {
    return new Batch(lane, requests).send().onFailure(unknown -> drain(lane));
  }

  private static void unknown(GrantRequest request) {
    request.answer(Refusals.UNAVAILABLE);
  }

  /** They would most likely fail, too. */
  private void drain(Map<Long, Long> lane) {
    List<GrantRequest> behind = lanes.drain(lane);
    waiting -= behind.size();
    behind.forEach(DirectPlacing::unknown);
  }

  private static Future<Void> nothing() {
    return Future.succeededFuture();
  }

  private Future<List<Outcome>> place(Map<Long, Long> lane, Supplier<List<Wish>> wishes) {
    return Future.succeededFuture(wishes).compose(asked -> ledger.place(lane, asked));
  }

  /** One attempt: units may have gone elsewhere meanwhile, and the buyer asks again anyway. */
  private Future<Void> again(Map<Long, Long> lane, Map<GrantRequest, Integer> missed) {
    List<GrantRequest> requests = List.copyOf(missed.keySet());
    return AsyncLoop.forEach(
            gathered(requests), line -> ledger.gather(line.bucket(), line.qty()).mapEmpty())
        .transform(done -> place(lane, () -> wishes(requests)))
        .map(outcomes -> answer(requests, outcomes))
        .map(
            still -> {
              still.forEach((request, line) -> refuse(request, Refusals.EMPTY_BUCKET, line));
              return null;
            });
  }

  /**
   * The units gathered for these requests, each bucket once. The first request's is last: units
   * gathered for it are not taken for another, so that each attempt serves somebody.
   */
  static List<DirectLedger.Line> gathered(List<GrantRequest> requests) {
    Map<BucketId, Integer> wanted = new LinkedHashMap<>();
    for (int i = requests.size() - 1; i >= 0; i--) {
      for (DirectLedger.Line line : wish(requests.get(i).asked()).lines()) {
        Integer known = wanted.remove(line.bucket());
        wanted.put(line.bucket(), known == null ? line.qty() : Math.max(known, line.qty()));
      }
    }
    return wanted.entrySet().stream()
        .map(each -> new DirectLedger.Line(each.getKey(), each.getValue()))
        .toList();
  }

  private static List<Wish> wishes(List<GrantRequest> requests) {
    return requests.stream().map(request -> wish(request.asked())).toList();
  }

  /**
   * Answers the requests, except for those of which a line's bucket lacks units that others have:
   * those are returned with the number of that line.
   */
  private Map<GrantRequest, Integer> answer(List<GrantRequest> requests, List<Outcome> outcomes) {
    Map<GrantRequest, Integer> missed = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      GrantRequest request = requests.get(i);
      Outcome outcome = outcomes.get(i);
      if (outcome instanceof Outcome.Elsewhere elsewhere) {
        missed.put(request, elsewhere.line());
      } else {
        answer(request, outcome);
      }
    }
    return missed;
  }

  private void answer(GrantRequest request, Outcome outcome) {
    if (outcome instanceof Outcome.Booked booked) {
      if (booked.fresh()) {
        grants.increment();
        bookings.increment();
      }
      request.answer(new Accepted(booked.order(), booked.fresh()));
    } else if (outcome instanceof Outcome.Refused refused) {
      refuse(request, refused);
    } else if (outcome instanceof Outcome.OtherSale other) {
      doubted.accept(other.skuId());
      refuse(request, Refusals.LOADING, request.lineOf(other.skuId()));
    } else {
      throw new IllegalStateException("Expected an outcome that is known, but got " + outcome);
    }
  }

  static void refuse(GrantRequest request, Outcome.Refused refused) {
    request.refuse(refused.refusal(), refused.line(), refused.available());
  }

  static void refuse(GrantRequest request, PlacedOrder.Refused refused, int line) {
    request.answer(Refusals.ofLine(refused, request.asked(), line));
  }
}
