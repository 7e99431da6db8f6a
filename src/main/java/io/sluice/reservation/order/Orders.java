package io.sluice.reservation.order;

import io.sluice.async.LoopContext;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.reservation.LoopStores;
import io.sluice.reservation.order.OrderAnswer.Known;
import io.sluice.reservation.order.OrderAnswer.Unknown;
import io.sluice.reservation.sku.SkuCatalog;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks up orders and runs their commands; docs/design.md sections 7 and 9. No Future of it fails.
 * One per event loop; only the cache is shared.
 *
 * <p>{@code mayAct} decides whether the caller may see or change the order (its own buyer, the back
 * office); otherwise the answer is Unknown.
 */
public final class Orders implements OrderCalls {
  static final Duration WAIT_MAX = Duration.ofSeconds(30);

  private final OrderFinder finder;
  private final OrderWaits waits;
  private final OrderCommands commands;

  public Orders(
      LoopStores stores,
      LoopContext loop,
      SkuCatalog catalog,
      OrderCache cache,
      ReservationConfig config) {
    OrderReader rows = new OrderReader(stores.ledger(), cache);
    this.finder = new OrderFinder(catalog, cache, stores, rows, loop);
    this.waits = new OrderWaits(cache, rows, loop);
    CommandOutcomes outcomes =
        new CommandOutcomes(
            stores.ledger(), rows, cache, loop, Duration.ofMillis(config.commandWaitMs()));
    this.commands =
        new OrderCommands(
            finder,
            cache,
            stores.log(),
            outcomes,
            new DirectCommands(
                stores.direct(), cache, loop, Duration.ofMillis(config.commandWaitMs())));
  }

  /** The order as known now. */
  @Override
  public Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct) {
    return finder.find(token).map(found -> isHidden(found, mayAct) ? new Unknown() : found);
  }

  /**
   * The order when its status has changed from the current one, or after {@code wait} (30 s at
   * most).
   *
   * @param left completes when nobody waits any longer; the wait ends then
   */
  @Override
  public Future<OrderAnswer> findChanged(
      OrderToken token, Duration wait, Predicate<Order> mayAct, Future<Void> left) {
    Duration atMost = wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait;
    return find(token, mayAct)
        .compose(
            found ->
                found instanceof Known known
                    ? waits.changed(known.order(), atMost, left)
                    : Future.succeededFuture(found));
  }

  /** Confirms the order after a payment that has no name. */
  public Future<CommandAnswer> confirm(OrderToken token, Predicate<Order> mayAct) {
    return confirm(token, null, mayAct);
  }

  /**
   * Confirms the order after its payment.
   *
   * @param paymentRef the shop's name for the payment, or null
   */
  @Override
  public Future<CommandAnswer> confirm(
      OrderToken token, @Nullable String paymentRef, Predicate<Order> mayAct) {
    CommandGoal goal = paymentRef == null ? Goal.CONFIRM : new PaymentGoal(paymentRef);
    return commands.run(goal, token, new Command.Confirm(token, paymentRef), mayAct);
  }

  /** Gives the buyer more time to pay. */
  @Override
  public Future<CommandAnswer> extend(OrderToken token, int seconds, Predicate<Order> mayAct) {
    CommandGoal goal = new ExtensionGoal(seconds);
    return commands.run(goal, token, new Command.Extend(token, seconds), mayAct);
  }

  /** Cancels the order and ends its hold. */
  @Override
  public Future<CommandAnswer> cancel(OrderToken token, Reason reason, Predicate<Order> mayAct) {
    return commands.run(Goal.CANCEL, token, new Command.Cancel(token, reason), mayAct);
  }

  /** A step of the refund of some units. */
  @Override
  public Future<CommandAnswer> refund(Command.RefundPart part, Predicate<Order> mayAct) {
    // The line that gives an order its token need not be named.
    boolean isOfLead = part.skuId() == part.token().skuId();
    Command command =
        isOfLead
            ? new Command.RefundPart(part.token(), part.refundId(), part.qty(), part.step())
            : part;
    return commands.run(new RefundGoal(part), part.token(), command, mayAct);
  }

  /** Refunds a confirmed order, or what is left of it. */
  @Override
  public Future<CommandAnswer> refund(OrderToken token, Predicate<Order> mayAct) {
    return commands.run(Goal.REFUND, token, new Command.Refund(token), mayAct);
  }

  /** Looks up booked orders, for requests that are repeated. */
  public BookedOrders booked() {
    return finder;
  }

  private static boolean isHidden(OrderAnswer found, Predicate<Order> mayAct) {
    return found instanceof Known known && !mayAct.test(known.order());
  }
}
