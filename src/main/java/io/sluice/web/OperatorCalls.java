package io.sluice.web;

/** Lets only operators through to a call. */
public final class OperatorCalls {
  private final BackOffice operators;
  private final RequestPipeline reception;

  public OperatorCalls(BackOffice operators, RequestPipeline reception) {
    this.operators = operators;
    this.reception = reception;
  }

  /** A call that reads its body itself. */
  public RequestPipeline.Call guarded(RequestPipeline.Call call) {
    return (exchange, context) -> {
      if (operators.admits(exchange.request())) {
        call.handle(exchange, context);
      } else {
        exchange.answer(operators.refusal());
      }
    };
  }

  /** A call without a body. */
  public RequestPipeline.Call bodiless(RequestPipeline.Call call) {
    return guarded(
        (exchange, context) -> reception.admit(exchange, () -> call.handle(exchange, context)));
  }
}
