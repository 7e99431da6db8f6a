package io.sluice.admin;

import io.sluice.ledger.OrderPages;
import io.sluice.ledger.OrderStories;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
import io.sluice.web.Input;
import io.sluice.web.format.Parameters;
import io.sluice.web.problem.BadInputException;
import io.sluice.web.problem.Problem;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The operators' calls for orders: the booked ones of a SKU or a sale, and the story of one. */
final class OrderAdminRoutes {
  private static final int LIMIT = 100;
  private static final Input LIST =
      Input.query(
          "sku_id", "sale_id", "status", "user_id", "reference", "after", "limit", "format");

  private final OrderStories stories;
  private final Guard operators;
  private final TraceJson traces;

  OrderAdminRoutes(OrderStories stories, Guard operators, TraceJson traces) {
    this.stories = stories;
    this.operators = operators;
    this.traces = traces;
  }

  List<Endpoint> endpoints() {
    return List.of(
        call("/admin/orders", "admin_orders", LIST, this::list),
        call("/admin/orders/:order_token", "admin_order", Input.NONE, this::story));
  }

  private Endpoint call(String path, String name, Input input, Endpoint.Call call) {
    return new Endpoint(HttpMethod.GET, path, name, operators, input, call);
  }

  // ---- the orders of a SKU or a sale

  /** A page is of orders that were looked at, so one with a filter may show fewer, or none. */
  private void list(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    OrderList list = OrderList.of(request, stories);
    Optional<String> after = Parameters.given(request, "after");
    Predicate<Order> filter = filter(request);
    if (isExport(Parameters.given(request, "format"))) {
      new OrderExport(exchange, list, filter).begin(after);
      return;
    }
    int limit =
        Math.toIntExact(Parameters.wholeNumber(request, "limit", 1, OrderPages.PAGE_MAX, LIMIT));
    exchange.answer(
        list.part(after, limit),
        part -> {
          if (part.isPresent()) {
            exchange.answer(200, json(part.get(), filter).toBuffer());
          } else {
            exchange.answer(Problem.UNKNOWN_SALE);
          }
        });
  }

  private static JsonObject json(OrderList.Part part, Predicate<Order> filter) {
    JsonArray orders = new JsonArray();
    part.orders().stream().filter(filter).forEach(order -> orders.add(StoryJson.of(order)));
    return new JsonObject().put("orders", orders).put("next", part.next().orElse(null));
  }

  private static boolean isExport(Optional<String> format) {
    if (format.isEmpty() || format.get().equals("json")) {
      return false;
    }
    if (format.get().equals("ndjson")) {
      return true;
    }
    throw new BadInputException("format", "Expected json or ndjson, but got another word");
  }

  private static Predicate<Order> filter(HttpServerRequest request) {
    Optional<String> userId = Parameters.given(request, "user_id").map(UserIdInput::checked);
    Optional<String> reference =
        Parameters.given(request, "reference").map(OrderAdminRoutes::reference);
    Optional<OrderStatus> status =
        Parameters.given(request, "status").map(OrderAdminRoutes::status);
    return order ->
        (userId.isEmpty() || order.userId().equals(userId.get()))
            && (reference.isEmpty() || reference.get().equals(order.reference()))
            && (status.isEmpty() || order.status() == status.get());
  }

  private static String reference(String text) {
    if (!Limits.isReference(text)) {
      throw new BadInputException(
          "reference",
          "Expected 1 to %d visible ASCII characters, but got another"
              .formatted(Limits.REFERENCE_MAX));
    }
    return text;
  }

  private static OrderStatus status(String name) {
    return Arrays.stream(OrderStatus.values())
        .filter(status -> status.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new BadInputException(
                    "status", "Expected the status of an order, but got another word"));
  }

  // ---- one order

  private void story(Exchange exchange) {
    Optional<OrderToken> token = OrderToken.parse(exchange.pathParam("order_token"));
    if (token.isEmpty()) {
      exchange.answer(Problem.UNKNOWN_ORDER);
      return;
    }
    exchange.answer(
        stories.story(token.get()),
        found -> {
          if (found.isPresent()) {
            exchange.answer(200, traces.addTo(StoryJson.of(found.get()), token.get()).toBuffer());
          } else {
            exchange.answer(Problem.UNKNOWN_ORDER);
          }
        });
  }
}
