package io.sluice.order;

import io.sluice.async.BatchReader;
import io.sluice.async.LoopContext;
import io.sluice.async.RateLimit;
import io.sluice.async.TimerQueue;
import io.sluice.ledger.History;
import io.sluice.ledger.History.By;
import io.sluice.ledger.History.FoundPage;
import io.sluice.ledger.History.FoundPlace;
import io.sluice.model.Cart;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the orders of buyers in the ledger, without harm to those who buy. One per event loop. */
public final class BuyerOrders implements OwnOrders {
  private static final int WAITING_MAX = 64;

  /** A refusal is told anyway, so what it can name is not waited for longer. */
  private static final Duration NAMED_WITHIN = Duration.ofMillis(300);

  /** Refusals are most frequent when the ledger has most to do. */
  private static final int NAMED_PER_S = 50;

  private final TimerQueue deadlines;
  private final RateLimit refusals;

  private record Ask(String userId, FoundPlace behind, int limit) {}

  /** One read after the other, so that an event loop has one connection at most for this. */
  private final BatchReader<Boolean, Ask, FoundPage> reads;

  public BuyerOrders(History history, LoopContext loop) {
    this.deadlines = new TimerQueue(loop);
    this.refusals = new RateLimit(NAMED_PER_S, loop.nanoTime());
    this.reads = new BatchReader<>(1, WAITING_MAX, (lane, asks) -> read(history, asks.get(0)));
  }

  private static Future<FoundPage> read(History history, Ask ask) {
    return history.lookUp(By.USER, ask.userId(), ask.behind(), ask.limit());
  }

  private Future<FoundPage> newest(String userId) {
    return reads.read(true, new Ask(userId, FoundPlace.NEWEST, PAGE_MAX));
  }

  @Override
  public Future<Optional<OwnPage>> page(String userId, @Nullable String after, int limit) {
    if (after == null) {
      return within(newest(userId).map(page -> first(page, limit)));
    }
    Optional<FoundPlace> place = FoundPlace.parse(after);
    return place.isEmpty()
        ? Future.succeededFuture(Optional.empty())
        : within(
            reads
                .read(true, new Ask(userId, place.get(), limit))
                .map(page -> new OwnPage(over(page), page.next().map(FoundPlace::text))));
  }

  private Future<Optional<OwnPage>> within(Future<OwnPage> read) {
    return deadlines.within(SkuCatalog.READ_MAX, read).map(Optional::of);
  }

  /**
   * The open ones among the newest, then the others. Later pages have only orders that are over, so
   * an order that is still open behind {@link #PAGE_MAX} newer ones is on none.
   */
  private static OwnPage first(FoundPage newest, int limit) {
    List<Order> over = over(newest);
    List<Order> shown =
        new ArrayList<>(newest.orders().stream().filter(BuyerOrders::isOpen).toList());
    shown.addAll(over.subList(0, Math.min(limit, over.size())));
    Optional<FoundPlace> next = newest.next();
    if (over.size() > limit) {
      Order last = over.get(limit - 1);
      next = Optional.of(new FoundPlace(last.createdAtMs(), last.token()));
    }
    return new OwnPage(shown, next.map(FoundPlace::text));
  }

  private static List<Order> over(FoundPage page) {
    return page.orders().stream().filter(order -> !isOpen(order)).toList();
  }

  private static boolean isOpen(Order order) {
    return order.status() == OrderStatus.PENDING;
  }

  @Override
  public Future<List<OrderToken>> open(String userId, long skuId) {
    if (!refusals.take()) {
      return Future.succeededFuture(List.of());
    }
    return deadlines
        .within(NAMED_WITHIN, newest(userId))
        .map(
            page ->
                page.orders().stream()
                    .filter(order -> isOpen(order) && has(order, skuId))
                    .map(Order::token)
                    .limit(NAMED_MAX)
                    .toList())
        .otherwise(List.of());
  }

  private static boolean has(Order order, long skuId) {
    Cart cart = order.cart();
    return cart == null ? order.token().skuId() == skuId : cart.lineOf(skuId) != null;
  }
}
