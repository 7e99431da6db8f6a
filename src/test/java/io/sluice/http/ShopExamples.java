package io.sluice.http;

import io.sluice.model.Order;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.sluice.openapi.ExampleRows;
import io.sluice.order.CommandAnswer;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.stream.Stream;

/** Those examples of the public port's contract that are about commands on orders. */
record ShopExamples(ExampleRows rows, PublicPortFixture fixture) {
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;
  private static final String[] OFFICE = {"Authorization", "Bearer " + PublicPortFixture.TOKEN};
  private static final long MINUTE_LATER = 1795248060000L;
  private static final Order PAID = FakeOrders.PENDING.paid("pay-81", MINUTE_LATER);

  private static final Call CANCEL = new Call("cancelOrder", "/cancel", "");
  private static final Call REFUND = new Call("refundOrder", "/refund", "");

  private static final Call CONFIRM =
      new Call("confirmOrder", "/confirm", "{\"payment_ref\":\"pay-81\"}");
  private static final Call EXTEND = new Call("extendOrder", "/extend", "{\"seconds\":600}");
  private static final Call REQUEST =
      new Call("requestRefund", "/refunds", "{\"refund_id\":\"r1\",\"qty\":1}");
  private static final Call COMPLETE = new Call("completeRefund", "/refunds/r1/complete", "");
  private static final Call REJECT = new Call("rejectRefund", "/refunds/r1/reject", "");

  /**
   * @param body JSON; empty for none
   */
  private record Call(String operation, String path, String body) {
    Call with(String otherBody) {
      return new Call(operation, path, otherBody);
    }
  }

  static void add(ExampleRows rows, PublicPortFixture fixture) {
    ShopExamples examples = new ShopExamples(rows, fixture);
    List.of(CANCEL, CONFIRM, REFUND, EXTEND, REQUEST, COMPLETE, REJECT)
        .forEach(examples::anyCommand);
    examples.ends();
    examples.payments();
    examples.extensions();
    examples.refunds();
    examples.carts();
    examples.several();
    examples.bodies(CONFIRM, CONFIRM.body().replace("pay-81", ""));
    examples.bodies(EXTEND, EXTEND.body().replace("600", "0"));
    examples.bodies(REFUND.with("{\"restock\":false}"), "{\"restock\":0}");
    examples.bodies(COMPLETE.with("{\"restock\":false}"), "{\"restock\":0}");
    examples.bodies(REQUEST, REQUEST.body().replace(":1", ":0"));
  }

  private void anyCommand(Call call) {
    conflict(call, ConflictType.ARCHIVED, PAID.inArchive());
    row(call, "202 pending", new CommandAnswer.Accepted(FakeOrders.PENDING));
    row(call, "404 unknown-order", new CommandAnswer.Unknown());
    row(call, "503 busy", new CommandAnswer.NotNow(true));
    row(call, "503 unavailable", new CommandAnswer.NotNow(false));
    rows.row(call.operation() + " 401 unauthorized", () -> send(call));
    rows.row(
        call.operation() + " 500 internal",
        () -> {
          fixture.orders.commanded = Future.failedFuture(new IllegalStateException("planted"));
          return send(call, OFFICE);
        });
  }

  private void ends() {
    done(CANCEL, "200 canceled", OrderStatus.CANCELED, Reason.BUYER);
    done(CONFIRM.with(""), "200 confirmed", OrderStatus.CONFIRMED, null);
    done(REFUND, "200 refunded", OrderStatus.REFUNDED, null);
    conflict(CANCEL, ConflictType.ALREADY_CONFIRMED, FakeOrders.PENDING);
    conflict(CANCEL, ConflictType.ALREADY_REFUNDED, FakeOrders.PENDING);
    conflict(CANCEL, ConflictType.ORDER_ENDED, FakeOrders.PENDING);
    conflict(CONFIRM.with(""), ConflictType.PAYMENT_LATE, FakeOrders.PENDING);
    conflict(CONFIRM.with(""), ConflictType.ALREADY_REFUNDED, FakeOrders.PENDING);
    conflict(REFUND, ConflictType.NOT_CONFIRMED, FakeOrders.PENDING);
  }

  private void done(Call call, String answer, OrderStatus status, Reason reason) {
    Order done = FakeOrders.PENDING.changed(status, reason, MINUTE_LATER);
    row(call, answer, new CommandAnswer.Done(done));
  }

  private void payments() {
    row(CONFIRM, "200 paid", new CommandAnswer.Done(PAID));
    conflict(
        CONFIRM.with(CONFIRM.body().replace("81", "82")), ConflictType.ALREADY_CONFIRMED, PAID);
  }

  private void extensions() {
    Order extended = FakeOrders.PENDING.extended(1795248660000L, MINUTE_LATER);
    row(EXTEND, "200 extended", new CommandAnswer.Done(extended));
    conflict(EXTEND, ConflictType.ALREADY_CONFIRMED, PAID);
    conflict(EXTEND, ConflictType.ALREADY_REFUNDED, PAID);
    conflict(EXTEND, ConflictType.ORDER_ENDED, PAID);
  }

  private void refunds() {
    Refund refund = new Refund("r1", 1, Refund.State.REQUESTED);
    Order requested = PAID.noted(PAID.notes().with(refund), MINUTE_LATER);
    Order completed =
        requested.refunded(
            1, requested.notes().with(refund.in(Refund.State.COMPLETED)), MINUTE_LATER);
    Order rejected =
        requested.noted(requested.notes().with(refund.in(Refund.State.REJECTED)), MINUTE_LATER);
    row(REQUEST, "200 requested", new CommandAnswer.Done(requested));
    row(COMPLETE, "200 completed", new CommandAnswer.Done(completed));
    row(REJECT, "200 rejected", new CommandAnswer.Done(rejected));
    conflict(REQUEST, ConflictType.REFUND_EXCEEDS, PAID);
    conflict(REQUEST, ConflictType.KEY_MISMATCH, PAID);
    conflict(REQUEST, ConflictType.NOT_CONFIRMED, PAID);
    conflict(REQUEST, ConflictType.ALREADY_REFUNDED, PAID);
    for (Call end : List.of(COMPLETE, REJECT)) {
      conflict(end, ConflictType.NOT_CONFIRMED, PAID);
      conflict(end, ConflictType.REFUND_ENDED, PAID);
      row(end, "404 unknown-refund", new CommandAnswer.Conflict(ConflictType.UNKNOWN_REFUND, PAID));
    }
  }

  /** An order of two SKUs is paid as a whole, and refunded line by line. */
  private void carts() {
    List<Order> lines =
        FakeOrders.LEAD.lines().stream()
            .map(line -> Order.reserved(line).paid("pay-81", MINUTE_LATER))
            .toList();
    Order lead = lines.get(0);
    Order second = lines.get(1);
    Refund refund = new Refund("r1", 1, Refund.State.REQUESTED);
    Order requested = second.noted(second.notes().with(refund), MINUTE_LATER);
    Order completed =
        requested.refunded(
            1, requested.notes().with(refund.in(Refund.State.COMPLETED)), MINUTE_LATER);
    Call ofLine = REQUEST.with(REQUEST.body().replace("}", ",\"sku_id\":1002}"));
    row(CONFIRM, "200 cart", new CommandAnswer.Done(Order.whole(lines)));
    row(ofLine, "200 of-a-line", new CommandAnswer.Done(Order.whole(List.of(lead, requested))));
    row(COMPLETE, "200 of-a-line", new CommandAnswer.Done(Order.whole(List.of(lead, completed))));
  }

  private void several() {
    String item = "{\"order_token\":\"%s\",\"command\":%s}";
    String pay = item.formatted(FakeOrders.TOKEN, "\"confirm\",\"payment_ref\":\"pay-81\"");
    String none = item.formatted("none", "\"cancel\"");
    String wrong = item.formatted(FakeOrders.TOKEN, "\"extend\",\"seconds\":0");
    CommandAnswer away = new CommandAnswer.NotNow(false);
    several("200 each-its-own", new CommandAnswer.Done(PAID), true, pay, none, wrong);
    several("200 not-now", away, true, pay);
    several("400 bad-request", away, true);
    several("503 busy", new CommandAnswer.NotNow(true), false, pay);
    several("503 unavailable", away, false, pay);
    rows.row("runCommands 401 unauthorized", () -> probe("", "application/json"));
    rows.row(
        "runCommands 413 content-too-large",
        () -> probe(" ".repeat(256 * 1024 + 1), "application/json", OFFICE));
    rows.row("runCommands 415 unsupported-media-type", () -> probe("{}", "text/plain", OFFICE));
    rows.row(
        "runCommands 500 internal",
        () -> {
          fixture.orders.commanded = Future.failedFuture(new IllegalStateException("planted"));
          return probe("{\"commands\":[" + pay + "]}", "application/json", OFFICE);
        });
  }

  private void several(String answer, CommandAnswer commanded, boolean sent, String... items) {
    rows.row(
        "runCommands " + answer,
        () -> {
          fixture.orders.sent = sent;
          fixture.orders.commanded = Future.succeededFuture(commanded);
          String body = "{\"commands\":[%s]}".formatted(String.join(",", items));
          return probe(body, "application/json", OFFICE);
        });
  }

  private Answer probe(String body, String mediaType, String... headers) {
    String[] all =
        Stream.concat(Stream.of("Content-Type", mediaType), Stream.of(headers))
            .toArray(String[]::new);
    return fixture.probe.send("POST", "/v1/orders/commands", BodyPublishers.ofString(body), all);
  }

  private void bodies(Call call, String invalid) {
    rows.row(call.operation() + " 400 bad-request", () -> send(call.with(invalid), OFFICE));
    rows.row(
        call.operation() + " 413 content-too-large",
        () -> send(call.with(" ".repeat(16 * 1024 + 1)), OFFICE));
    rows.row(
        call.operation() + " 415 unsupported-media-type",
        () ->
            fixture.probe.send(
                "POST", ORDER + call.path(), BodyPublishers.ofString(call.body()), OFFICE));
  }

  private void conflict(Call call, ConflictType type, Order order) {
    row(call, "409 " + type.type().word(), new CommandAnswer.Conflict(type, order));
  }

  private void row(Call call, String answer, CommandAnswer commanded) {
    rows.row(
        call.operation() + " " + answer,
        () -> {
          fixture.orders.commanded = Future.succeededFuture(commanded);
          return send(call, OFFICE);
        });
  }

  private Answer send(Call call, String... headers) {
    String path = ORDER + call.path();
    return call.body().isEmpty()
        ? fixture.probe.post(path, headers)
        : fixture.probe.json("POST", path, call.body(), headers);
  }
}
