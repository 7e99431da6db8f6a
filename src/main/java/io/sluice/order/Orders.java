package io.sluice.order;

import io.sluice.async.LoopContext;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Reason;
import io.sluice.order.OrderAnswer.Known;
import io.sluice.order.OrderAnswer.NotNow;
import io.sluice.order.OrderAnswer.Unknown;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks up orders and runs their commands; docs/design.md sections 7 and 9. One per event loop;
 * only the cache is shared.
 */
public final class Orders implements OrderCalls {
  static final Duration WAIT_MAX = Duration.ofSeconds(30);

  private final OrderFinder finder;
  private final OrderCache cache;
  private final OrderLog log;
  private final OrderWaits waits;
  private final CommandOutcomes outcomes;
  private final DirectCommands direct;

  public Orders(
      LoopStores stores,
      LoopContext loop,
      SkuCatalog catalog,
      OrderCache cache,
      ReservationConfig config) {
    OrderReader rows = new OrderReader(stores.ledger(), cache);
    this.finder = new OrderFinder(catalog, cache, stores, rows, loop);
    this.waits = new OrderWaits(cache, rows, loop);
    this.cache = cache;
    this.log = stores.log();
    Duration wait = Duration.ofMillis(config.commandWaitMs());
    this.outcomes = new CommandOutcomes(stores.ledger(), rows, cache, loop, wait);
    this.direct = new DirectCommands(stores.direct(), cache, loop, wait);
  }

  @Override
  public Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct) {
    return finder.find(token).map(found -> isHidden(found, mayAct) ? new Unknown() : found);
  }

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

  @Override
  public Future<CommandAnswer> confirm(
      OrderToken token, @Nullable String paymentRef, Predicate<Order> mayAct) {
    CommandGoal goal =
        paymentRef == null ? CommandGoal.Plain.CONFIRM : new CommandGoal.Payment(paymentRef);
    return run(goal, token, new Command.Confirm(token, paymentRef), mayAct);
  }

  @Override
  public Future<CommandAnswer> extend(OrderToken token, int seconds, Predicate<Order> mayAct) {
    CommandGoal goal = new CommandGoal.Extension(seconds);
    return run(goal, token, new Command.Extend(token, seconds), mayAct);
  }

  @Override
  public Future<CommandAnswer> cancel(OrderToken token, Reason reason, Predicate<Order> mayAct) {
    return run(CommandGoal.Plain.CANCEL, token, new Command.Cancel(token, reason), mayAct);
  }

  @Override
  public Future<CommandAnswer> refund(Command.RefundPart part, Predicate<Order> mayAct) {
    // The line that gives an order its token need not be named.
    boolean isOfLead = part.skuId() == part.token().skuId();
    Command command =
        isOfLead
            ? new Command.RefundPart(part.token(), part.refundId(), part.qty(), part.step())
            : part;
    return run(new CommandGoal.RefundStep(part), part.token(), command, mayAct);
  }

  @Override
  public Future<CommandAnswer> refund(OrderToken token, Predicate<Order> mayAct) {
    return run(CommandGoal.Plain.REFUND, token, new Command.Refund(token), mayAct);
  }

  /** Looks up booked orders, for requests that are repeated. */
  public OrderFinder booked() {
    return finder;
  }

  /**
   * Runs a command on an existing order: answered at once if the order's status decides the
   * outcome, else appended to the log, where the order's owner decides.
   */
  private Future<CommandAnswer> run(
      CommandGoal wanted, OrderToken token, Command command, Predicate<Order> mayAct) {
    CommandGoal goal = new CommandGoal.UnlessArchived(wanted);
    boolean isOfBuyers = command instanceof Command.Cancel;
    return findFor(goal, token, isOfBuyers).compose(found -> act(goal, found, command, mayAct));
  }

  /**
   * A cached copy of a PENDING order is enough, because the log decides. Any other is read again:
   * it may have been refunded, and it may be in the archive, of which no event tells. If it cannot
   * be read, the copy is enough if its status cannot change, or the log decides. If a buyer wants
   * to change an order, an event alone does not prove that it is his.
   */
  private Future<OrderAnswer> findFor(CommandGoal goal, OrderToken token, boolean isOfBuyers) {
    Order heard = cache.lastKnown(token);
    if (heard == null || (isOfBuyers && !cache.knowsBuyer(token))) {
      return finder.findInStores(token);
    }
    if (heard.status() == OrderStatus.PENDING) {
      return Future.succeededFuture(new Known(heard));
    }
    return finder
        .findInStores(token)
        .map(found -> found instanceof NotNow ? heardOr(found, goal, token) : found);
  }

  /** As it is known after the read: that may have failed because the ledger was being restored. */
  private OrderAnswer heardOr(OrderAnswer notNow, CommandGoal goal, OrderToken token) {
    Order heard = cache.lastKnown(token);
    if (heard != null && (finder.isOver(token) || goal.decidedBy(heard).isEmpty())) {
      return new Known(heard);
    }
    return notNow;
  }

  private Future<CommandAnswer> act(
      CommandGoal goal, OrderAnswer found, Command command, Predicate<Order> mayAct) {
    if (found instanceof NotNow notNow) {
      return Future.succeededFuture(new CommandAnswer.NotNow(notNow.busy()));
    }
    if (found instanceof OrderAnswer.Unknown || !mayAct.test(((Known) found).order())) {
      return Future.succeededFuture(new CommandAnswer.Unknown());
    }
    Order order = ((Known) found).order();
    return goal.decidedBy(order)
        .map(Future::succeededFuture)
        .orElseGet(() -> decidedByLog(goal, order, command));
  }

  /**
   * The command goes to the owner of the bucket, wherever that is now; if it has none, to the
   * ledger. A SKU that is still taken for unknown, though it has an order, is read again within a
   * second.
   */
  private Future<CommandAnswer> decidedByLog(CommandGoal goal, Order order, Command command) {
    return finder
        .bucketOf(order.token())
        .transform(
            bucket ->
                bucket.succeeded() && bucket.result().isPresent()
                    ? decidedAt(bucket.result().get().partition(), goal, order, command)
                    : Future.succeededFuture(new CommandAnswer.NotNow(bucket.succeeded())));
  }

  private Future<CommandAnswer> decidedAt(
      int partition, CommandGoal goal, Order order, Command command) {
    return partition == Placement.DIRECT
        ? direct.run(goal, order.token(), command)
        : inLog(partition, goal, order, command);
  }

  private Future<CommandAnswer> inLog(
      int partition, CommandGoal goal, Order order, Command command) {
    return outcomes
        .run(goal, order, partition, () -> log.append(partition, List.of(command)))
        .onSuccess(answer -> doubtIfPassed(answer, order));
  }

  /** A command that was passed without an effect may have been sent on from the wrong partition. */
  private void doubtIfPassed(CommandAnswer answer, Order order) {
    if (answer instanceof CommandAnswer.NotNow notNow && notNow.busy()) {
      finder.doubt(order.token());
    }
  }

  private static boolean isHidden(OrderAnswer found, Predicate<Order> mayAct) {
    return found instanceof Known known && !mayAct.test(known.order());
  }
}
