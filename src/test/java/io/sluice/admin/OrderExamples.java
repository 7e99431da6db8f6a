package io.sluice.admin;

import io.sluice.admin.AdminCalls.Call;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.Page;
import io.sluice.ledger.History.SalePage;
import io.sluice.ledger.History.SalePlace;
import io.sluice.openapi.ExampleRows;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** How the examples of the calls about orders are brought about. */
final class OrderExamples {
  private static final SalePlace PLACE = new SalePlace(1001, new HoldPlace(0, 1, 7));

  private OrderExamples() {}

  static void add(ExampleRows rows) {
    Call list = AdminCalls.of("listOrders");
    Call ofSale = list.at("/admin/orders?sale_id=phones-12");
    row(
        rows,
        "listOrders 200 last-page",
        list,
        stories -> stories.page = new Page(List.of(FakeStories.PENDING), PLACE.hold(), true));
    row(
        rows,
        "listOrders 200 of-a-sale",
        ofSale,
        stories ->
            stories.salePage =
                Optional.of(new SalePage(List.of(FakeStories.PENDING), PLACE, false)));
    row(
        rows,
        "listOrders 200 with-carts",
        ofSale,
        stories ->
            stories.salePage =
                Optional.of(
                    new SalePage(
                        List.of(FakeStories.LINE),
                        new SalePlace(1002, new HoldPlace(0, 1, 4)),
                        false)));
    row(rows, "listOrders 400 bad-request", list.at("/admin/orders"), stories -> {});
    row(rows, "listOrders 404 unknown-sale", ofSale, stories -> {});
    Call story = AdminCalls.of("getOrder");
    row(
        rows,
        "getOrder 200 paid",
        story,
        stories -> stories.story = Optional.of(FakeStories.paid("pay-81")));
    rows.row("getOrder 200 traced", TracedExample::show);
    row(rows, "getOrder 404 unknown-order", story, stories -> {});
  }

  private static void row(ExampleRows rows, String key, Call call, Consumer<FakeStories> given) {
    rows.row(
        key,
        () -> {
          try (AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG).serving()) {
            given.accept(port.stories);
            return call.send(port, AdminCalls.OLGA);
          }
        });
  }
}
