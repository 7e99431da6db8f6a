package io.sluice.grant;

import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.stock.StockStore;
import io.sluice.tracing.TraceContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request for an order in progress. It is answered once; if more becomes known later, the next
 * request with its key gets it.
 */
final class GrantRequest {
  private static final Set<OrderStatus> LIVE =
      EnumSet.of(OrderStatus.RESERVED, OrderStatus.PENDING, OrderStatus.CONFIRMED);

  private final List<Sku> skus;
  private final PlacedBucket lead;
  private final StockStore.Request asked;
  private final GrantRouter.Route route;
  private final @Nullable TraceContext trace;
  private final Promise<PlacedOrder> answer = Promise.promise();
  private PlacedOrder atDeadline = Refusals.UNAVAILABLE;

  /**
   * @param skus of its lines, in their order
   * @param lead the bucket of the first line
   * @param route how its grant is made durable
   * @param trace the first span of the order's trace; null if it is not traced
   */
  GrantRequest(
      List<Sku> skus,
      PlacedBucket lead,
      StockStore.Request asked,
      GrantRouter.Route route,
      @Nullable TraceContext trace) {
    this.skus = skus;
    this.lead = lead;
    this.asked = asked;
    this.route = route;
    this.trace = trace;
  }

  /** What is asked of the stock. */
  StockStore.Request asked() {
    return asked;
  }

  /** Of its order, if there is to be one. */
  OrderToken token() {
    return asked.token();
  }

  /** The number of its lines. */
  int size() {
    return skus.size();
  }

  List<Sku> skus() {
    return skus;
  }

  Sku sku(int line) {
    return skus.get(line);
  }

  PlacedBucket bucket(int line) {
    List<StockStore.Line> cart = asked.cart();
    return line == 0 || cart == null ? lead : sku(line).placed(cart.get(line).bucket().bucket());
  }

  /** The line of this SKU. */
  int lineOf(long skuId) {
    int line = 0;
    while (sku(line).skuId() != skuId) {
      line++;
    }
    return line;
  }

  GrantRouter.Route route() {
    return route;
  }

  @Nullable TraceContext trace() {
    return trace;
  }

  Future<PlacedOrder> answer() {
    return answer.future();
  }

  boolean isOpen() {
    return !answer.future().isComplete();
  }

  void answer(PlacedOrder order) {
    boolean isUnknown =
        order instanceof PlacedOrder.Refused refused && refused.refusal() == Refusal.UNAVAILABLE;
    answer.tryComplete(isUnknown ? Refusals.unavailable(token()) : order);
  }

  /**
   * Answers it with what Redis or the ledger has refused; with the time if the SKU is to open.
   *
   * @param line that it is refused for; negative: none alone
   * @param available the units that are left, if it is sold out
   */
  void refuse(Refusal refusal, int line, long available) {
    PlacedOrder.Refused refused = Refusals.of(refusal, asked, line, available);
    Sku sku = sku(Math.max(0, line));
    boolean opens = refusal == Refusal.NOT_OPEN && sku.state() == SkuState.SCHEDULED;
    answer(opens ? refused.opening(sku.settings().opensAtMs()) : refused);
  }

  /** Sets the answer for the case that nothing better is known at the deadline. */
  void otherwise(PlacedOrder order) {
    atDeadline = order;
  }

  /** The deadline has passed. */
  void giveUp() {
    answer(atDeadline);
  }

  /** A grant that is acknowledged to its buyer as soon as its record is durable. */
  record Unacked(GrantRequest request, Grant grant, boolean fresh) {
    /** A grant that was booked past the log may have been in the ledger before, and have ended. */
    void answer(Map<OrderToken, Order> durable) {
      Order order = durable.get(grant.token());
      request.answer(
          order != null && LIVE.contains(order.status())
              ? new Accepted(order, fresh)
              : Refusals.UNAVAILABLE);
    }
  }

  /**
   * The requests of one call to Redis, and their deadline. The deadline counts from the creation of
   * the batch, before anything is sent. When it expires, every request that is still open is
   * answered.
   */
  static final class Batch {
    private final LoopContext loop;
    private final Duration deadline;
    private final List<GrantRequest> requests;
    private final long startNanos;
    private int open;

    Batch(LoopContext loop, TimerQueue deadlines, Duration deadline, List<GrantRequest> requests) {
      this.loop = loop;
      this.deadline = deadline;
      this.requests = requests;
      this.open = requests.size();
      this.startNanos = loop.now();
      TimerQueue.Deadline end = deadlines.after(deadline, this::giveUp);
      for (GrantRequest request : requests) {
        request.answer().onComplete(answered -> cancelAfterLast(end));
      }
    }

    /** The time before anything was sent. */
    long startNanos() {
      return startNanos;
    }

    List<GrantRequest> requests() {
      return requests;
    }

    /** The bucket of the first line; all others are in its partition. */
    PlacedBucket lead() {
      return requests.get(0).bucket(0);
    }

    /** Whether all requests are for that bucket alone. */
    boolean isOfBucket() {
      return requests.get(0).size() == 1;
    }

    /**
     * Whether the grant deadline has passed. Grants must not be acknowledged any more then, because
     * a rebuild may already rely on that.
     */
    boolean isLate() {
      return loop.since(startNanos).compareTo(deadline) > 0;
    }

    void giveUp() {
      requests.forEach(GrantRequest::giveUp);
    }

    private void cancelAfterLast(TimerQueue.Deadline end) {
      open--;
      if (open == 0) {
        end.cancel();
      }
    }
  }
}
