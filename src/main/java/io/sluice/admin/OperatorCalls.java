package io.sluice.admin;

import io.sluice.web.BackOffice;
import io.sluice.web.Reception;

/** Lets only operators through to a call. */
final class OperatorCalls {
  private final BackOffice operators;
  private final Reception reception;

  OperatorCalls(BackOffice operators, Reception reception) {
    this.operators = operators;
    this.reception = reception;
  }

  /** A call that reads its body itself. */
  Reception.Call guarded(Reception.Call call) {
    return (exchange, context) -> {
      if (operators.admits(exchange.request())) {
        call.handle(exchange, context);
      } else {
        exchange.answer(operators.refusal());
      }
    };
  }

  /** A call without a body. */
  Reception.Call bodiless(Reception.Call call) {
    return guarded(
        (exchange, context) -> reception.admit(exchange, () -> call.handle(exchange, context)));
  }
}
