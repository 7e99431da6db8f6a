package io.sluice.reservation.order;

import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.OrderLog;
import io.sluice.reservation.order.OrderAnswer.Known;
import io.sluice.reservation.order.OrderAnswer.NotNow;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Predicate;

/**
 * Commands on existing orders. Answered at once where the order's status decides the outcome, else
 * appended to the log, where the order's owner decides.
 */
final class OrderCommands {
  private final OrderFinder finder;
  private final OrderCache cache;
  private final OrderLog log;
  private final CommandOutcomes outcomes;

  OrderCommands(OrderFinder finder, OrderCache cache, OrderLog log, CommandOutcomes outcomes) {
    this.finder = finder;
    this.cache = cache;
    this.log = log;
    this.outcomes = outcomes;
  }

  Future<CommandAnswer> run(
      CommandGoal wanted, OrderToken token, Command command, Predicate<Order> mayAct) {
    CommandGoal goal = new ArchiveGoal(wanted);
    return find(goal, token).compose(found -> act(goal, found, command, mayAct));
  }

  /**
   * A cached copy is enough where the log decides anyway. One that decides is read again: a
   * CONFIRMED order may have been refunded, and any that has ended may be in the archive. If it
   * cannot be read, the copy of one whose status cannot change is enough.
   */
  private Future<OrderAnswer> find(CommandGoal goal, OrderToken token) {
    Order heard = cache.lastKnown(token);
    if (heard == null) {
      return finder.findInStores(token);
    }
    return goal.decidedBy(heard).isEmpty()
        ? Future.succeededFuture(new Known(heard))
        : finder
            .findInStores(token)
            .map(
                found ->
                    found instanceof NotNow && OrderCache.isFinal(heard)
                        ? new Known(heard)
                        : found);
  }

  private Future<CommandAnswer> act(
      CommandGoal goal, OrderAnswer found, Command command, Predicate<Order> mayAct) {
    if (found instanceof NotNow notNow) {
      return Future.succeededFuture(new CommandAnswer.NotNow(notNow.busy()));
    }
    if (!(found instanceof Known known) || !mayAct.test(known.order())) {
      return Future.succeededFuture(new CommandAnswer.Unknown());
    }
    Order order = known.order();
    return goal.decidedBy(order)
        .map(Future::succeededFuture)
        .orElseGet(() -> decidedByLog(goal, order, command));
  }

  /**
   * The command goes to the owner of the bucket, wherever that is now. A SKU that is still taken
   * for unknown, though it has an order, is read again within a second.
   */
  private Future<CommandAnswer> decidedByLog(CommandGoal goal, Order order, Command command) {
    return finder
        .bucketOf(order.token())
        .transform(
            bucket ->
                bucket.succeeded() && bucket.result().isPresent()
                    ? inLog(bucket.result().get().partition(), goal, order, command)
                    : Future.succeededFuture(new CommandAnswer.NotNow(bucket.succeeded())));
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
