package io.sluice.reservation.grant;

import io.micrometer.core.instrument.Counter;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.reservation.LoopStores;
import io.sluice.reservation.grant.PlacedOrder.Accepted;
import io.sluice.reservation.grant.PlacedOrder.Refused;
import io.sluice.reservation.order.Orders;
import io.sluice.reservation.sku.SkuCatalog;
import io.sluice.reservation.tally.SaleTallies;
import io.sluice.reservation.tally.SaleTally;
import io.sluice.stock.StockStore;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Places orders: a grant in Redis, a record in the order log (or a row in the ledger), then the
 * acknowledgement; docs/design.md sections 5, 6 and 9. One per event loop.
 */
public final class Reservations implements OrderPlacing {
  private final SkuCatalog catalog;
  private final OrderTokens tokens;
  private final GrantBatcher batcher;
  private final CartPlacing carts;
  private final DirectPlacing directPlacing;
  private final EndedSkus ended;
  private final Admission admission;
  private final TimerQueue deadlines;
  private final Duration deadline;
  private final Map<Refusal, Counter> refusals;
  private final GrantQueue queue;
  private final Traces traces;
  private final SaleTallies tallies;
  private final LongSupplier nanoTime;
  private int underWay;

  /**
   * @param orders looks up the status of orders that are requested again
   * @param borrowing asks for units of other buckets
   * @param cartSales which sales take orders of several SKUs
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
      CartSales cartSales,
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
    this.ended = new EndedSkus(stores.ledger(), orders.booked(), deadlines, deadline);
    this.directPlacing = directPlacing(stores, meters);
    GrantParts parts = parts(stores, loop, orders, borrowing, meters);
    this.batcher = new GrantBatcher(parts);
    this.carts = carts(parts, cartSales);
    this.refusals = refusals(meters);
  }

  private GrantParts parts(
      LoopStores stores, LoopContext loop, Orders orders, Borrowing borrowing, Meters meters) {
    return new GrantParts(
        stores.stock(),
        recorder(stores, loop, meters),
        borrowing,
        orders.booked(),
        ended,
        catalog::doubt,
        loop,
        deadline,
        admission.lastFactor(),
        meters,
        traces);
  }

  private static Map<Refusal, Counter> refusals(Meters meters) {
    Map<Refusal, Counter> counters = new EnumMap<>(Refusal.class);
    for (Refusal refusal : Refusal.values()) {
      counters.put(refusal, meters.refusals(refusal));
    }
    return counters;
  }

  private DirectPlacing directPlacing(LoopStores stores, Meters meters) {
    return new DirectPlacing(
        stores.direct(), catalog::doubt, deadlines, deadline, admission.underWayMax(), meters);
  }

  private GrantRecorder recorder(LoopStores stores, LoopContext loop, Meters meters) {
    DirectBooking direct = new DirectBooking(stores.ledger(), stores.skus(), meters);
    return new GrantRecorder(
        stores, admission.routes(), direct, loop, deadline, meters.logAppend(), traces);
  }

  private CartPlacing carts(GrantParts parts, CartSales cartSales) {
    return new CartPlacing(
        catalog,
        cartSales,
        tokens,
        admission.routes(),
        new CartBatcher(parts),
        directPlacing,
        ended,
        deadlines,
        deadline,
        traces);
  }

  /**
   * Places an order. The same buyer, SKU and key always get the same order. The Future never fails:
   * an unknown outcome is answered UNAVAILABLE, and repeating the request shows the outcome.
   *
   * @param entry asked once the SKU is known, before anything else is looked at
   */
  @Override
  public Future<PlacedOrder> place(OrderWish wish, SkuEntry entry) {
    if (underWay >= admission.underWayMax()) {
      return tooMany();
    }
    underWay++;
    return placeOne(wish, entry).onSuccess(this::isPlaced);
  }

  private Future<PlacedOrder> placeOne(OrderWish wish, SkuEntry entry) {
    Sku known = catalog.known(wish.skuId());
    return known != null ? placeKnown(known, wish, entry) : placeUnseen(wish, entry);
  }

  /**
   * Places an order of several SKUs, of all or of none; else the same.
   *
   * @param entry asked of each SKU once all are known
   */
  @Override
  public Future<PlacedOrder> place(CartWish wish, SkuEntry entry) {
    if (underWay >= admission.underWayMax()) {
      return tooMany();
    }
    underWay++;
    return carts.look(wish, entry).compose(look -> placeCart(wish, look)).onSuccess(this::isPlaced);
  }

  private Future<PlacedOrder> placeCart(CartWish wish, CartPlacing.Look look) {
    if (look instanceof CartPlacing.Look.Bad bad) {
      return refused(bad.lead() == null ? null : tallies.of(bad.lead()), bad.refused());
    }
    CartPlacing.Together together = ((CartPlacing.Look.Good) look).together();
    SaleTally tally = tallies.of(together.lead());
    if (isFull()) {
      return refused(tally, Refusals.overloaded());
    }
    long entered = queue.enter();
    return carts
        .place(wish, together)
        .onComplete(
            answered -> {
              queue.leave(entered);
              tell(tally, answered.result(), nanoTime.getAsLong() - entered);
            });
  }

  private Future<PlacedOrder> tooMany() {
    Future<PlacedOrder> full = Future.succeededFuture(Refusals.overloaded());
    return full.onSuccess(this::count);
  }

  private void isPlaced(PlacedOrder placed) {
    underWay--;
    count(placed);
  }

  private Future<PlacedOrder> placeUnseen(OrderWish wish, SkuEntry entry) {
    return deadlines
        .within(deadline, catalog.find(wish.skuId()))
        .compose(
            sku ->
                sku.isPresent()
                    ? placeKnown(sku.get(), wish, entry)
                    : Future.<PlacedOrder>succeededFuture(Refusals.unknownSku(wish.skuId())))
        .otherwise(Refusals::whenUnread);
  }

  /** One that has ended may be in its next sale, and have granted there: it is read again. */
  private Future<PlacedOrder> placeKnown(Sku sku, OrderWish wish, SkuEntry entry) {
    return sku.state().isEnded()
        ? deadlines
            .within(deadline, catalog.readAgain(sku.skuId()))
            .compose(now -> placeIn(now.orElse(sku), wish, entry))
            .otherwise(Refusals::whenUnread)
        : placeIn(sku, wish, entry);
  }

  private Future<PlacedOrder> placeIn(Sku sku, OrderWish wish, SkuEntry entry) {
    SaleTally tally = tallies.of(sku);
    Refused barred = entry.refusal(sku);
    if (barred != null) {
      return refused(tally, barred);
    }
    BucketId bucket = BucketId.of(sku.skuId(), wish.userId(), sku.buckets());
    PlacedBucket placed = sku.placed(bucket.bucket());
    OrderToken token = tokens.tokenFor(wish.userId(), bucket, wish.requestKey(), sku.saleNo());
    StockStore.Request stockRequest =
        new StockStore.Request(token, wish.userId(), wish.qty(), wish.reference(), sku.saleNo());
    if (sku.state().isEnded()) {
      return ended.place(stockRequest).onSuccess(answer -> tell(tally, answer, 0));
    }
    if (!sku.isDirect() && batcher.isSoldOut(sku, stockRequest)) {
      return refused(tally, Refusals.soldOut(wish.qty(), 0));
    }
    if (isFull()) {
      return refused(tally, Refusals.overloaded());
    }
    GrantRoute route =
        sku.isDirect() ? GrantRoute.DIRECT : admission.routes().next(placed.partition());
    if (route == GrantRoute.NONE) {
      return refused(tally, Refusals.noRoute());
    }
    GrantRequest request = new GrantRequest(sku, placed, stockRequest, route, traceOf(wish, token));
    return sku.isDirect()
        ? begun(request, tally, asked -> directPlacing.add(DirectRequest.of(asked)))
        : begun(request, tally, batcher::add);
  }

  private Future<PlacedOrder> begun(
      GrantRequest request, @Nullable SaleTally tally, Consumer<GrantRequest> begin) {
    long entered = queue.enter();
    begin.accept(request);
    return request
        .answer()
        .onComplete(
            answered -> {
              queue.leave(entered);
              tell(tally, answered.result(), nanoTime.getAsLong() - entered);
            });
  }

  private @Nullable TraceContext traceOf(OrderWish wish, OrderToken token) {
    return wish.traced() || traces.samples(token.value()) ? TraceContext.ofOrder(token) : null;
  }

  private static Future<PlacedOrder> refused(@Nullable SaleTally tally, Refused refused) {
    if (tally != null) {
      tally.refused(refused.refusal());
    }
    return Future.succeededFuture(refused);
  }

  /** An order that was granted to an earlier request was counted then. */
  private static void tell(@Nullable SaleTally tally, @Nullable PlacedOrder placed, long nanos) {
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

  private void count(PlacedOrder placed) {
    if (placed instanceof Refused refused) {
      Counter counter = refusals.get(refused.refusal());
      if (counter != null) {
        counter.increment();
      }
    }
  }
}
