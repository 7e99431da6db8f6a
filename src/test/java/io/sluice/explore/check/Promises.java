package io.sluice.explore.check;

import io.sluice.explore.actor.Operator;
import io.sluice.explore.run.Settlement;
import io.sluice.explore.run.World;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.order.CommandAnswer;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.orderlog.InMemoryEvents.Published;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The promises that must hold once everything has settled. */
public final class Promises {
  private final World world;
  private final Map<OrderToken, Order> orders = new LinkedHashMap<>();

  private Promises(World world) {
    this.world = world;
    Settlement.orders(world).forEach(order -> orders.put(order.token(), order));
  }

  public static void check(World world, Operator operator) {
    Promises promises = new Promises(world);
    world.told().yeses().forEach(promises::checkYes);
    world.told().outcomes().forEach(promises::checkOutcome);
    world.told().shown().forEach(promises::checkShown);
    promises.checkCarts();
    new StockPromises(world, operator, promises.orders).check();
    promises.checkEvents();
  }

  private void expect(boolean holds, String rule, Supplier<String> detail) {
    if (!holds) {
      world.breach(rule, detail.get());
    }
  }

  private void checkYes(AnswerLog.Yes yes) {
    Order told = yes.order();
    if (world.restored().excuses(told.token(), yes.atUs())) {
      return;
    }
    Order order = orders.get(told.token());
    Supplier<String> both = () -> "Expected what " + yes + " says, but the ledger has " + order;
    expect(order != null, "P2 every yes has its order", both);
    if (order != null) {
      expect(order.status() != OrderStatus.REJECTED, "P2 no yes is rejected", both);
      expect(
          order.seq() == told.seq()
              && order.epoch() == told.epoch()
              && order.qty() == told.qty()
              && AnswerLog.linesOf(order).equals(AnswerLog.linesOf(told)),
          "P4 a yes is about the order of the ledger",
          both);
      checkShown(new AnswerLog.Shown(told, yes.atUs()));
    }
  }

  /** A final status that was shown must be the order's status. */
  private void checkShown(AnswerLog.Shown answer) {
    Order shown = answer.order();
    if (world.restored().excuses(shown.token(), answer.atUs())) {
      return;
    }
    Order order = orders.get(shown.token());
    boolean ended = shown.status() != OrderStatus.RESERVED && !shown.status().isLive();
    expect(
        !ended || (order != null && order.status() == shown.status()),
        "P5 a final status that was shown is never revoked",
        () -> "Expected " + shown + ", but the ledger has " + order);
    boolean paid = shown.status() == OrderStatus.CONFIRMED;
    expect(
        !paid || (order != null && isPaid(order)),
        "P5 an order that was shown as paid is paid",
        () -> "Expected " + shown + ", but the ledger has " + order);
  }

  private static boolean isPaid(Order order) {
    return order.status() == OrderStatus.CONFIRMED || order.status() == OrderStatus.REFUNDED;
  }

  private void checkOutcome(AnswerLog.Outcome outcome) {
    // An instance keeps its copy of such an order for longer than a run takes.
    boolean isForgotten =
        (outcome.answer() instanceof CommandAnswer.Unknown
                || outcome.answer() instanceof CommandAnswer.Accepted)
            && world.restored().hasForgotten(outcome.token());
    if (isForgotten || world.restored().excuses(outcome.token(), outcome.atUs())) {
      return;
    }
    Order order = orders.get(outcome.token());
    expect(
        order != null && isTrue(outcome, order),
        "P5 the answer to a command is true",
        () -> "Expected what " + outcome + " says, but the ledger has " + order);
  }

  /** Who has won is told by what the ledger has committed: so it has that by then. */
  static void checkTold(AnswerLog.Outcome outcome, World world) {
    boolean isDecided =
        outcome.answer() instanceof CommandAnswer.Done
            || outcome.answer() instanceof CommandAnswer.Conflict;
    if (!isDecided || world.restored().isOver()) {
      return;
    }
    OrderToken token = outcome.token();
    Order order = world.ledger().orders(List.of(token)).result().get(token);
    if (order == null || !isTrue(outcome, order)) {
      world.breach(
          "P5 a decision is told once it is committed",
          "Expected what " + outcome + " says, but the ledger has " + order);
    }
  }

  private static boolean isTrue(AnswerLog.Outcome outcome, Order order) {
    CommandAnswer answer = outcome.answer();
    if (answer instanceof CommandAnswer.Conflict conflict) {
      return isTrue(conflict.type(), outcome, order);
    }
    boolean done = answer instanceof CommandAnswer.Done;
    boolean accepted = answer instanceof CommandAnswer.Accepted;
    return (!done && !accepted)
        || switch (outcome.verb()) {
          case "confirm" -> isPaid(order) || (accepted && order.latePaidAtMs() > 0);
          case "pay" -> isPaidWith(outcome.subject(), order, accepted);
          case "extend" -> order.status() != OrderStatus.REJECTED;
          case "cancel" ->
              order.status() == OrderStatus.CANCELED || (accepted && !isPending(order));
          case "refund" -> order.status() == OrderStatus.REFUNDED;
          default -> accepted || isRefund(outcome, order);
        };
  }

  /** Only the first payment of an order is told that the order is confirmed. */
  private static boolean isPaidWith(String payment, Order order, boolean accepted) {
    return accepted
        ? order.notes().knowsPayment(payment)
        : isPaid(order) && payment.equals(order.notes().paymentRef());
  }

  private static boolean isRefund(AnswerLog.Outcome outcome, Order order) {
    Refund refund = order.notes().refunds().get(outcome.subject());
    return refund != null
        && switch (Command.RefundPart.Step.valueOf(outcome.verb())) {
          case REQUEST -> true;
          case COMPLETE -> refund.state() == Refund.State.COMPLETED;
          case REJECT -> refund.state() == Refund.State.REJECTED;
        };
  }

  private static boolean isPending(Order order) {
    return order.status() == OrderStatus.PENDING;
  }

  /**
   * Whether the refusal is true of the order. In these runs a refund is only requested after the
   * answer that the order is paid, so {@code NOT_CONFIRMED} is never true.
   */
  private static boolean isTrue(ConflictType problem, AnswerLog.Outcome outcome, Order order) {
    boolean isPayment = outcome.verb().equals("pay");
    boolean isRecorded = !isPayment || order.notes().knowsPayment(outcome.subject());
    Refund refund = order.notes().refunds().get(outcome.subject());
    return isRecorded
        && switch (problem) {
          case ALREADY_CONFIRMED ->
              isPaid(order) && !(isPayment && outcome.subject().equals(order.notes().paymentRef()));
          case ALREADY_REFUNDED -> order.status() == OrderStatus.REFUNDED;
          case PAYMENT_LATE -> order.status() == OrderStatus.CANCELED && order.latePaidAtMs() > 0;
          case ORDER_ENDED ->
              outcome.verb().equals("extend") && order.status() == OrderStatus.CANCELED;
          case REFUND_EXCEEDS -> outcome.verb().equals("REQUEST");
          case REFUND_ENDED -> refund != null && refund.state() != Refund.State.REQUESTED;
          case UNKNOWN_REFUND -> refund == null;
          case NOT_CONFIRMED, KEY_MISMATCH, NO_SUCH_LINE, ARCHIVED -> false;
        };
  }

  /** A cart is one order: of all its lines there are orders, which ended together. */
  private void checkCarts() {
    for (Order line : orders.values()) {
      for (OrderToken token : line.lineTokens()) {
        Order other = orders.get(token);
        expect(
            other != null
                && AnswerLog.linesOf(other).equals(AnswerLog.linesOf(line))
                && isPaid(other) == isPaid(line)
                && (isPaid(other) || other.status() == line.status()),
            "P8 a cart is one order",
            () ->
                "Expected the same of the line " + token + " as of " + line + ", but got " + other);
      }
    }
  }

  /** Each event at least once, in the order of versions. */
  private void checkEvents() {
    Map<OrderToken, Long> heard = new HashMap<>();
    for (Published one : world.events().published()) {
      if (one.event().type().equals("HEARTBEAT")
          || one.event().type().equals("STALE_GRANT_DROPPED")) {
        continue;
      }
      OutboxPayload.order(one.event().payload()).ifPresent(order -> hear(heard, order));
    }
    orders.forEach(
        (token, order) ->
            expect(
                isHeard(heard.getOrDefault(token, 0L), order),
                "all events are published",
                () ->
                    "Expected all versions of "
                        + order
                        + " as events, but got up to "
                        + heard.get(token)));
  }

  private boolean isHeard(long heard, Order order) {
    long version = order.isFollower() ? 0 : order.version();
    return heard == version || (heard > version && world.restored().isOver());
  }

  private void hear(Map<OrderToken, Long> heard, Order order) {
    long before = heard.getOrDefault(order.token(), 0L);
    expect(
        order.version() <= before + order.lineTokens().size(),
        "events are in order per order",
        () -> "Expected version " + (before + 1) + " at most, but got " + order);
    heard.put(order.token(), Math.max(before, order.version()));
  }
}
