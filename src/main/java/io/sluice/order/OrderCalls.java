package io.sluice.order;

import io.sluice.model.Command;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * The calls on existing orders; no Future of them fails.
 *
 * <p>{@code mayAct} decides whether the caller may see or change the order (its own buyer, the back
 * office); otherwise the answer is Unknown.
 */
public interface OrderCalls {
  /** The order as known now. */
  Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct);

  /**
   * The order when its status has changed from the current one, or after {@code wait} (30 s at
   * most).
   *
   * @param left completes when nobody waits any longer; the wait ends then
   */
  Future<OrderAnswer> findChanged(
      OrderToken token, Duration wait, Predicate<Order> mayAct, Future<Void> left);

  /**
   * Runs a command: a confirmation, an extension, a cancelation or a refund.
   *
   * @param command of a caller, about one order. {@link CommandAnswer.NotYet} if it takes units out
   *     of the stock, and {@link #mayWithdraw} says no
   */
  Future<CommandAnswer> run(Command command, Predicate<Order> mayAct);

  /**
   * Runs the commands of a caller who may act on every order, with one record of the log for each
   * partition. Those of one order run one after the other, in the order of the list; if the outcome
   * of one is not known, those after it are not sent, and are answered as it is.
   *
   * @param commands at most {@link Limits#COMMANDS_MAX}
   */
  Future<Answers> runAll(List<Command> commands);

  /**
   * Whether refunds may take units out of the stock within their sale: every instance understands
   * it. Fails if the ledger does not say.
   */
  Future<Boolean> mayWithdraw();

  /**
   * The answers to several commands, each in its place.
   *
   * @param sent whether any was sent to where its order is decided
   */
  record Answers(List<CommandAnswer> inOrder, boolean sent) {}
}
