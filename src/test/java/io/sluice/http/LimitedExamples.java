package io.sluice.http;

import static io.sluice.http.PublicPortFixture.BODY;
import static io.sluice.http.PublicPortFixture.TOKEN_BACK_OFFICE;

import io.sluice.openapi.ExampleRows;
import io.sluice.web.Contract;
import io.sluice.web.HttpProbe.Answer;
import java.util.Map;
import java.util.function.Function;

/** Those examples of the public port's contract that need a port of their own. */
final class LimitedExamples {
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;
  private static final String SKU = "/v1/skus/1001";
  private static final String[] ALICE = {"X-User-Id", "alice"};

  private LimitedExamples() {}

  /** The call of a port with this number, from 1. */
  @FunctionalInterface
  private interface NumberedCall {
    Answer send(PublicPortFixture port, int number);
  }

  static void add(ExampleRows rows) {
    rows.row("getContract 503 unavailable", LimitedExamples::contractTooEarly);
    rows.row("placeOrder 429 too-many-requests", LimitedExamples::eleventhOrder);
    rows.rows(
        "429 too-many-requests",
        Map.of(
            "getOrder", () -> third(port -> port.probe.get(ORDER, ALICE)),
            "cancelOrder", () -> third(port -> port.probe.post(ORDER + "/cancel", ALICE)),
            "getSku", () -> third(port -> port.probe.get(SKU)),
            "getSale", () -> third(port -> port.probe.get("/v1/sales/phones-12")),
            "getContract", () -> third(port -> port.probe.get(Contract.PATH)),
            "listOwnOrders", () -> third(port -> port.probe.get("/v1/orders", ALICE)),
            "getDocs", () -> third(port -> port.probe.get("/docs")),
            "getProblem", () -> third(port -> port.probe.get("/problems/sold-out"))));
  }

  /** The eleventh order of a buyer who may place ten in a minute. */
  private static Answer eleventhOrder() {
    return last(
        11,
        PublicPortFixture.limited(PublicPortFixture.admission(0, 0, 10, 0)),
        (port, number) -> port.order(BODY, "alice", "Idempotency-Key", "k" + number));
  }

  /** The third call from an address that may make two in a minute. */
  private static Answer third(Function<PublicPortFixture, Answer> call) {
    return last(
        3,
        PublicPortFixture.limited(PublicPortFixture.admission(0, 0, 0, 2)),
        (port, number) -> call.apply(port));
  }

  private static Answer last(int calls, PublicPortFixture port, NumberedCall call) {
    try (port) {
      for (int i = 1; i < calls; i++) {
        call.send(port, i);
      }
      return call.send(port, calls);
    }
  }

  private static Answer contractTooEarly() {
    try (PublicPortFixture port = PublicPortFixture.opened(TOKEN_BACK_OFFICE, 1, 100)) {
      return port.probe.get(Contract.PATH);
    }
  }
}
