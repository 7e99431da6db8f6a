package io.sluice.admin;

import io.sluice.async.Poll;
import io.sluice.ledger.ArchiveRequests.Forgotten;
import io.sluice.ledger.SkuLedger;
import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Input;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.function.Supplier;

/** The operators' call that takes a buyer out of the orders of ended sales. */
final class ForgetRoutes {
  static final Duration DONE_WITHIN = Duration.ofSeconds(5);

  static final String NAME = "admin_forget";

  private static final Problem NOT_RAISED =
      Problem.retry(
          ProblemType.BUSY,
          "Expected only instances that forget the token of an order as well, but one of an earlier"
              + " release may still run",
          60);
  private static final String PATH = "/admin/buyers/:user_id/forget";

  private final SkuLedger ledger;
  private final Poll poll;
  private final Supplier<String> pseudonyms;
  private final Operators operators;

  /**
   * @param pseudonyms makes a new one with each call, which nobody can guess
   */
  ForgetRoutes(SkuLedger ledger, Poll poll, Supplier<String> pseudonyms, Operators operators) {
    this.ledger = ledger;
    this.poll = poll;
    this.pseudonyms = pseudonyms;
    this.operators = operators;
  }

  Endpoint endpoint() {
    return new Endpoint(HttpMethod.POST, PATH, NAME, operators, Input.NONE, this::forget);
  }

  private void forget(Exchange exchange) {
    String userId = UserIdInput.ofPath(exchange);
    String pseudonym = pseudonyms.get();
    exchange.answer(
        poll.until(
            poll.deadline(DONE_WITHIN),
            () -> ledger.forget(userId, pseudonym),
            now -> now.map(Forgotten::done).orElse(true)),
        now ->
            now.ifPresentOrElse(far -> answer(exchange, far), () -> exchange.answer(NOT_RAISED)));
  }

  private void answer(Exchange exchange, Forgotten now) {
    operators.forgot(exchange.request(), now);
    exchange.answer(
        now.done() ? 200 : 202,
        new JsonObject()
            .put("pseudonym", now.pseudonym())
            .put("replaced", now.replaced())
            .put("left", now.left())
            .toBuffer());
  }
}
