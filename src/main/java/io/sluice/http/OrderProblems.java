package io.sluice.http;

import io.sluice.model.Refusal;
import io.sluice.reservation.grant.PlacedOrder;
import io.sluice.reservation.order.CommandAnswer;
import io.sluice.web.format.OrderJson;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.Map;

/** Maps refusals of orders and commands to problems. Used by one event loop only. */
final class OrderProblems {
  private static final Map<CommandAnswer.ConflictType, Problem> CONFLICTS = conflicts();

  /** The last problem of each refusal; in a stampede the same one is sent over and over. */
  private final Map<Refusal, Worded> last = new EnumMap<>(Refusal.class);

  private record Worded(PlacedOrder.Refused refused, Problem problem) {}

  Problem of(PlacedOrder.Refused refused) {
    Worded worded = last.get(refused.refusal());
    if (worded == null || !worded.refused.isWordedLike(refused)) {
      ProblemType type = ProblemType.of(refused.refusal().problem());
      Problem problem = Problem.retry(type, refused.detail(), refused.retryAfterS());
      worded = new Worded(refused, refused.skuId() == 0 ? problem : problem.ofSku(refused.skuId()));
      last.put(refused.refusal(), worded);
    }
    return worded.problem;
  }

  Problem of(CommandAnswer.Conflict conflict) {
    return CONFLICTS.getOrDefault(conflict.type(), Problem.INTERNAL);
  }

  Problem unknownRefund() {
    return CONFLICTS.getOrDefault(CommandAnswer.ConflictType.UNKNOWN_REFUND, Problem.INTERNAL);
  }

  /** With the order, for a caller who has to know what it was paid with. */
  Problem withOrder(CommandAnswer.Conflict conflict) {
    return of(conflict).withOrder(new JsonObject(OrderJson.of(conflict.order())));
  }

  /** The answer if the result cannot be determined now. */
  Problem notNow(boolean busy) {
    return busy ? Problem.LOADING : Problem.PART_DOWN;
  }

  private static Map<CommandAnswer.ConflictType, Problem> conflicts() {
    Map<CommandAnswer.ConflictType, Problem> problems =
        new EnumMap<>(CommandAnswer.ConflictType.class);
    for (CommandAnswer.ConflictType type : CommandAnswer.ConflictType.values()) {
      ProblemType problem = ProblemType.of(type.problem());
      problems.put(
          type,
          type == CommandAnswer.ConflictType.NO_SUCH_LINE
              ? Problem.of(problem, "sku_id", detail(type))
              : Problem.of(problem, detail(type)));
    }
    return problems;
  }

  private static String detail(CommandAnswer.ConflictType type) {
    return switch (type) {
      case ALREADY_CONFIRMED ->
          "Expected an order that is not paid, but it is confirmed; only a refund can end it";
      case ALREADY_REFUNDED -> "Expected an order that is not refunded, but it is";
      case PAYMENT_LATE ->
          "Expected the payment while the order was held, but it had ended; the money must be paid"
              + " back";
      case NOT_CONFIRMED -> "Expected a confirmed order, but it is not confirmed";
      case ORDER_ENDED -> "Expected an order that is held, but it has ended";
      case KEY_MISMATCH ->
          "Expected the quantity of the refund with this id, but got another; ids are used once";
      case REFUND_EXCEEDS ->
          "Expected at most what is left of the order beside open requests, but got more";
      case REFUND_ENDED -> "Expected a refund that is requested, but it has ended otherwise";
      case ARCHIVED ->
          "Expected an order of a sale that is not archived, but it is; it can only be looked at";
      case NO_SUCH_LINE ->
          "Expected the sku_id of one of the order's lines if it has several, but got another";
      case UNKNOWN_REFUND ->
          "Expected the id of a refund of this order, but there is none like this";
    };
  }
}
