package io.sluice.admin;

import static io.sluice.admin.AdminRows.at;

import io.sluice.admin.AdminCalls.Call;
import io.sluice.config.Config.TracingConfig;
import io.sluice.ledger.History.FoundPage;
import io.sluice.ledger.History.FoundPlace;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.Page;
import io.sluice.ledger.History.SalePage;
import io.sluice.ledger.History.SalePlace;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.sluice.order.CommandAnswer;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.EventPages.Found.Gone;
import io.sluice.tracing.RecordedTraces;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How the examples of the calls about orders and events are brought about. */
final class OrderExamples {
  private static final SalePlace PLACE = new SalePlace(1001, new HoldPlace(0, 1, 7));
  private static final TracingConfig TRACING =
      new TracingConfig("http://c:1", "", 1, 1, 1, 512, "https://traces.example/{trace_id}");
  private static final UnaryOperator<Call> OF_SALE = at("/admin/orders?sale_id=phones-12");

  /** Those that a command without a name of a payment or refund can meet. */
  private static final List<ConflictType> CONFLICTS =
      List.of(
          ConflictType.ALREADY_CONFIRMED,
          ConflictType.ALREADY_REFUNDED,
          ConflictType.PAYMENT_LATE,
          ConflictType.NOT_CONFIRMED,
          ConflictType.ORDER_ENDED,
          ConflictType.ARCHIVED);

  private static final Gone GONE =
      new Gone(
          Instant.parse("2026-11-20T18:00:00Z").toEpochMilli(),
          AdminPortFixture.NOW.toEpochMilli());

  private OrderExamples() {}

  static void add(AdminRows rows) {
    rows.row(
        "listOrders 200 last-page",
        port -> port.stories.page = new Page(List.of(FakeStories.PENDING), PLACE.hold(), true));
    rows.row(
        "listOrders 200 of-a-sale",
        port -> port.stories.salePage = part(FakeStories.PENDING, PLACE),
        OF_SALE);
    rows.row(
        "listOrders 200 with-carts",
        port -> {
          port.ledger.has(FakeLedger.sku(1001, 1).named("Phone 12, black"));
          port.stories.salePage =
              part(FakeStories.CART, new SalePlace(1002, new HoldPlace(0, 1, 4)));
        },
        OF_SALE);
    rows.row(
        "listOrders 200 looked-up",
        port ->
            port.stories.foundPage =
                new FoundPage(
                    List.of(FakeStories.PENDING),
                    Optional.of(
                        new FoundPlace(
                            FakeStories.PENDING.createdAtMs(), FakeStories.PENDING.token()))),
        at("/admin/orders?user_id=alice"));
    rows.changed("listOrders 400 bad-request", at("/admin/orders"));
    rows.changed("listOrders 404 unknown-sale", OF_SALE);
    rows.row("getOrder 200 paid", OrderExamples::paid);
    rows.row(
        "getOrder 200 of-several-skus",
        port -> port.stories.story = Optional.of(FakeStories.refunded()));
    rows.rows().row("getOrder 200 traced", OrderExamples::traced);
    rows.row("getOrder 404 unknown-order");
    command(
        rows,
        "200 canceled",
        new CommandAnswer.Done(
            FakeStories.PENDING.changed(OrderStatus.CANCELED, Reason.OPERATOR, 1795248060000L)));
    command(rows, "202 pending", new CommandAnswer.Accepted(FakeStories.PENDING));
    rows.changed("commandOrder 400 bad-request", call -> call.with("{\"command\":\"extend\"}"));
    rows.row("commandOrder 404 unknown-order");
    for (ConflictType type : CONFLICTS) {
      command(
          rows, "409 " + type.type().word(), new CommandAnswer.Conflict(type, FakeStories.PENDING));
    }
    rows.row("listEvents 200 none");
    rows.changed("listEvents 400 bad-request", at("/admin/events?limit=501"));
    rows.rows().row("listEvents 409 mode-unavailable", () -> events(null));
    rows.rows()
        .row(
            "listEvents 410 events-gone",
            () -> events((after, limit, heartbeats) -> Future.succeededFuture(GONE)));
  }

  private static void command(AdminRows rows, String answer, CommandAnswer outcome) {
    rows.row("commandOrder " + answer, port -> port.commandAnswer = outcome);
  }

  private static Optional<SalePage> part(Order order, SalePlace last) {
    return Optional.of(new SalePage(List.of(order), last, false));
  }

  private static void paid(AdminPortFixture port) {
    port.stories.story = Optional.of(FakeStories.paid("pay-81"));
  }

  /** An order whose trace is recorded. */
  private static Answer traced() {
    RecordedTraces traces = RecordedTraces.ofAll();
    try (AdminPortFixture port =
        AdminPortFixture.traced(AdminCalls.CONFIG, TRACING, traces).serving()) {
      paid(port);
      return AdminCalls.of("getOrder").send(port, AdminCalls.OLGA);
    }
  }

  private static Answer events(@Nullable EventPages kept) {
    try (AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG)) {
      port.events = kept;
      return AdminCalls.of("listEvents").send(port.serving(), AdminCalls.OLGA);
    }
  }
}
