package io.sluice.grant;

import io.micrometer.core.instrument.Counter;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.grant.SaleTallies.Tally;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.order.LoopStores;
import io.sluice.order.Orders;
import io.sluice.order.SkuCatalog;
import io.sluice.stock.StockStore;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Places orders: a grant in Redis, a record in the order log (or a row in the ledger), then the
 * acknowledgement; docs/design.md sections 5, 6 and 9. One per event loop.
 *
 * <p>Redis is asked for an order of several SKUs if their buckets are all in one partition, the
 * ledger if all of them sell in it alone.
 */
public final class Reservations implements OrderPlacing {
  private final SkuCatalog catalog;
  private final CartSales together;
  private final OrderTokens tokens;
  private final GrantBatcher batcher;
  private final DirectPlacing direct;
  private final EndedSkus ended;
  private final Admission admission;
  private final TimerQueue deadlines;
  private final Duration deadline;
  private final Map<Refusal, Counter> refusals = new EnumMap<>(Refusal.class);
  private final GrantQueue queue;
  private final Traces traces;
  private final SaleTallies tallies;
  private final LongSupplier nanoTime;
  private int underWay;

  /**
   * @param orders looks up the status of orders that are requested again
   * @param borrowing asks for units of other buckets
   * @param sales reads a sale: {@link io.sluice.ledger.SaleLedger#sale}
   * @param tallies where refusals and grants are counted by sale
   */
  public Reservations(
      LoopStores stores,
      LoopContext loop,
      SkuCatalog catalog,
      OrderTokens tokens,
      Orders orders,
      Borrowing borrowing,
      ReservationConfig config,
      Admission admission,
      Function<String, Future<Optional<Seen>>> sales,
      SaleTallies tallies,
      Meters meters,
      Traces traces) {
    this.catalog = catalog;
    this.tokens = tokens;
    this.admission = admission;
    this.traces = traces;
    this.tallies = tallies;
    this.nanoTime = loop.nanoTime();
    this.queue = new GrantQueue(admission.underWayMax(), loop.nanoTime());
    this.deadlines = new TimerQueue(loop);
    this.deadline = Duration.ofMillis(config.grantDeadlineMs());
    this.together = new CartSales(catalog, sales, deadlines, deadline);
    this.ended = new EndedSkus(orders.booked(), deadlines, deadline);
    this.direct =
        new DirectPlacing(
            stores.direct(), catalog::doubt, deadlines, deadline, admission.underWayMax(), meters);
    GrantTraces steps = new GrantTraces(traces, loop);
    this.batcher =
        new GrantBatcher(
            stores.stock(),
            new GrantRecorder(stores, admission.routes(), admission.backlog(), loop, meters, steps),
            steps,
            borrowing,
            orders.booked(),
            ended,
            catalog::doubt,
            loop,
            deadline,
            admission.lastFactor(),
            meters);
    for (Refusal refusal : Refusal.values()) {
      refusals.put(refusal, meters.refusals(refusal));
    }
  }

  @Override
  public Future<PlacedOrder> place(OrderWish wish, SkuEntry entry) {
    if (underWay >= admission.underWayMax()) {
      Future<PlacedOrder> full = Future.succeededFuture(Refusals.OVERLOADED);
      return full.onSuccess(this::count);
    }
    underWay++;
    return look(wish, entry).onSuccess(this::isPlaced);
  }

  private void isPlaced(PlacedOrder placed) {
    underWay--;
    count(placed);
  }

  private void count(PlacedOrder placed) {
    if (placed instanceof Refused refused) {
      Counter counter = refusals.get(refused.refusal());
      if (counter != null) {
        counter.increment();
      }
    }
  }

  private Future<PlacedOrder> look(OrderWish wish, SkuEntry entry) {
    if (wish.lines().size() > 1) {
      return together
          .look(wish)
          .compose(
              look ->
                  look.refused() == null
                      ? place(look.skus(), wish, entry)
                      : Future.succeededFuture(look.refused()));
    }
    Sku known = catalog.known(wish.lines().get(0).skuId());
    return known != null ? placeKnown(known, wish, entry) : placeUnseen(wish, entry);
  }

  private Future<PlacedOrder> placeUnseen(OrderWish wish, SkuEntry entry) {
    long skuId = wish.lines().get(0).skuId();
    return deadlines
        .within(deadline, catalog.find(skuId))
        .compose(
            sku ->
                sku.isPresent()
                    ? placeKnown(sku.get(), wish, entry)
                    : Future.<PlacedOrder>succeededFuture(Refusals.unknownSku(skuId)))
        .otherwise(Refusals::whenUnread);
  }

  /**
   * One that has ended may be in its next sale, and have granted there, or be deleted: it is read
   * again.
   */
  private Future<PlacedOrder> placeKnown(Sku sku, OrderWish wish, SkuEntry entry) {
    return sku.state().isEnded()
        ? deadlines
            .within(deadline, catalog.readAgain(sku.skuId()))
            .compose(
                now ->
                    now.isPresent()
                        ? place(List.of(now.get()), wish, entry)
                        : Future.<PlacedOrder>succeededFuture(Refusals.unknownSku(sku.skuId())))
            .otherwise(Refusals::whenUnread)
        : place(List.of(sku), wish, entry);
  }

  /** Asks Redis or the ledger, or answers at once. */
  private Future<PlacedOrder> place(List<Sku> skus, OrderWish wish, SkuEntry entry) {
    Sku lead = skus.get(0);
    Tally tally = tallies.of(lead);
    for (Sku sku : skus) {
      Refused barred = entry.refusal(sku);
      if (barred != null) {
        return refused(tally, skus.size() == 1 ? barred : barred.ofLine(sku.skuId()));
      }
    }
    PlacedBucket bucket = bucket(lead, wish);
    StockStore.Request asked = asked(skus, bucket, wish);
    int endedLine = endedLine(skus);
    if (endedLine >= 0) {
      return ended.place(asked, endedLine).onSuccess(answer -> tell(tally, answer, 0));
    }
    Refused refused = lead.isDirect() ? null : refusal(skus, bucket, asked);
    if (refused != null) {
      return refused(tally, refused);
    }
    if (isFull()) {
      return refused(tally, Refusals.OVERLOADED);
    }
    GrantRouter.Route route =
        lead.isDirect() ? GrantRouter.Route.PAST_LOG : admission.routes().next(bucket.partition());
    if (route == GrantRouter.Route.NONE) {
      return refused(tally, Refusals.NO_ROUTE);
    }
    GrantRequest request =
        new GrantRequest(skus, bucket, asked, route, traceOf(wish, asked.token()));
    long entered = queue.enter();
    if (lead.isDirect()) {
      direct.add(request);
    } else {
      batcher.add(request);
    }
    return request
        .answer()
        .onComplete(
            answered -> {
              queue.leave(entered);
              tell(tally, answered.result(), nanoTime.getAsLong() - entered);
            });
  }

  private static PlacedBucket bucket(Sku sku, OrderWish wish) {
    return sku.placed(BucketId.of(sku.skuId(), wish.userId(), sku.buckets()).bucket());
  }

  private StockStore.Request asked(List<Sku> skus, PlacedBucket bucket, OrderWish wish) {
    String userId = wish.userId();
    long saleNo = skus.get(0).saleNo();
    if (skus.size() == 1) {
      OrderToken token = tokens.tokenFor(userId, bucket.id(), wish.requestKey(), saleNo);
      int qty = wish.lines().get(0).qty();
      return new StockStore.Request(token, userId, qty, wish.reference(), saleNo);
    }
    List<StockStore.Line> lines = new ArrayList<>();
    for (int i = 0; i < skus.size(); i++) {
      Sku sku = skus.get(i);
      int qty = wish.lines().get(i).qty();
      lines.add(new StockStore.Line(bucket(sku, wish).id(), qty, sku.saleNo()));
    }
    OrderToken token =
        tokens.tokenFor(userId, bucket.id(), wish.requestKey(), saleNo, wish.skuIds());
    return StockStore.Request.ofLines(token, userId, wish.reference(), lines);
  }

  private static int endedLine(List<Sku> skus) {
    for (int line = 0; line < skus.size(); line++) {
      if (skus.get(line).state().isEnded()) {
        return line;
      }
    }
    return -1;
  }

  /** Why Redis need not be asked; null if it must be. */
  private @Nullable Refused refusal(List<Sku> skus, PlacedBucket bucket, StockStore.Request asked) {
    if (asked.cart() != null && !isAllIn(bucket.partition(), skus, asked.cart())) {
      skus.forEach(sku -> catalog.doubt(sku.skuId()));
      return Refusals.LOADING;
    }
    int soldOut = batcher.soldOutLine(skus, asked);
    return soldOut < 0 ? null : Refusals.of(Refusal.SOLD_OUT, asked, soldOut, 0);
  }

  /** Whether all its buckets are in this partition, as far as is known here. */
  private static boolean isAllIn(int partition, List<Sku> skus, List<StockStore.Line> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (skus.get(i).placed(lines.get(i).bucket().bucket()).partition() != partition) {
        return false;
      }
    }
    return true;
  }

  private @Nullable TraceContext traceOf(OrderWish wish, OrderToken token) {
    return wish.traced() || traces.samples(token.value()) ? TraceContext.ofOrder(token) : null;
  }

  private static Future<PlacedOrder> refused(@Nullable Tally tally, Refused refused) {
    if (tally != null) {
      tally.refused(refused.refusal());
    }
    return Future.succeededFuture(refused);
  }

  /** An order that was granted to an earlier request was counted then. */
  private static void tell(@Nullable Tally tally, @Nullable PlacedOrder placed, long nanos) {
    if (tally == null) {
      return;
    }
    if (placed instanceof Refused refused) {
      tally.refused(refused.refusal());
    } else if (placed instanceof Accepted accepted && accepted.fresh()) {
      tally.granted(nanos);
    }
  }

  @Override
  public boolean isFull() {
    return !queue.hasRoom();
  }

  /**
   * The limits that a request must pass before Redis is asked.
   *
   * @param underWayMax the maximum number of requests in flight on one event loop; over it: BUSY
   * @param lastFactor the maximum number of requests on their way to Redis per unit left, from LAST
   *     on, per event loop and bucket; over it: BUSY
   * @param routes of the instance, shared by its event loops
   * @param backlog of the instance, shared likewise; told of each append
   */
  public record Admission(int underWayMax, int lastFactor, GrantRouter routes, Backlog backlog) {}
}
