package io.sluice.reservation.order;

import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.orderlog.OrderLog;
import io.sluice.reservation.order.OrderAnswer.Known;
import io.sluice.reservation.order.OrderAnswer.NotNow;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Predicate;

/**
 * Commands on existing orders. Answered at once if the order's status decides the outcome, else
 * appended to the log, where the order's owner decides.
 */
final class OrderCommands {
  private final OrderFinder finder;
  private final OrderCache cache;
  private final OrderLog log;
  private final CommandOutcomes outcomes;
  private final DirectCommands direct;

  OrderCommands(
      OrderFinder finder,
      OrderCache cache,
      OrderLog log,
      CommandOutcomes outcomes,
      DirectCommands direct) {
    this.finder = finder;
    this.cache = cache;
    this.log = log;
    this.outcomes = outcomes;
    this.direct = direct;
  }

  Future<CommandAnswer> run(
      CommandGoal wanted, OrderToken token, Command command, Predicate<Order> mayAct) {
    CommandGoal goal = new ArchiveGoal(wanted);
    boolean isOfBuyers = command instanceof Command.Cancel;
    return find(goal, token, isOfBuyers).compose(found -> act(goal, found, command, mayAct));
  }

  /**
   * A cached copy of a PENDING order is enough, because the log decides. Any other is read again:
   * it may have been refunded, and it may be in the archive, of which no event tells. If it cannot
   * be read, the copy is enough if its status cannot change, or the log decides. If a buyer wants
   * to change an order, an event alone does not prove that it is his.
   */
  private Future<OrderAnswer> find(CommandGoal goal, OrderToken token, boolean isOfBuyers) {
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
}
