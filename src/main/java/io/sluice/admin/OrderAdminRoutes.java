package io.sluice.admin;

import io.sluice.ledger.OrderStories;
import io.sluice.ledger.OrderStories.HoldPlace;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Intake;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The operators' calls for orders: the booked ones of a SKU, and the story of one. */
final class OrderAdminRoutes {
  private static final int LIMIT = 100;
  private static final Pattern PLACE = Pattern.compile("(\\d{1,3})\\.(\\d{1,18})\\.(\\d{1,18})");

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
        call("/admin/orders", "admin_orders", this::list),
        call("/admin/orders/:order_token", "admin_order", this::story));
  }

  private Endpoint call(String path, String name, Endpoint.Call call) {
    return new Endpoint(HttpMethod.GET, path, name, operators, Intake.BOUNDED, call);
  }

  // ---- the orders of a SKU

  /** A page is of orders that were looked at, so one with a filter may show fewer, or none. */
  private void list(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    long skuId = Parameters.wholeNumber(request, "sku_id", 1, Long.MAX_VALUE, 0);
    if (skuId == 0) {
      throw new BadInputException("sku_id", "Expected the id of a SKU, but it is missing");
    }
    if (isExport(request.getParam("format"))) {
      HoldPlace from = after(request.getParam("after"));
      new OrderExport(exchange, stories, skuId, filter(request)).begin(from);
      return;
    }
    int limit =
        Math.toIntExact(Parameters.wholeNumber(request, "limit", 1, OrderStories.PAGE_MAX, LIMIT));
    HoldPlace after = after(request.getParam("after"));
    Predicate<Order> filter = filter(request);
    exchange.answer(
        stories.page(skuId, after, limit),
        page -> {
          JsonArray orders = new JsonArray();
          page.orders().stream().filter(filter).forEach(order -> orders.add(StoryJson.of(order)));
          String next = page.complete() ? null : textOf(page.last());
          exchange.answer(200, new JsonObject().put("orders", orders).put("next", next).toBuffer());
        });
  }

  private static boolean isExport(@Nullable String format) {
    if (format == null || format.equals("json")) {
      return false;
    }
    if (format.equals("ndjson")) {
      return true;
    }
    throw new BadInputException("format", "Expected json or ndjson, but got another word");
  }

  private static Predicate<Order> filter(HttpServerRequest request) {
    String userId = request.getParam("user_id");
    String reference = request.getParam("reference");
    OrderStatus status = status(request.getParam("status"));
    return order ->
        (userId == null || order.userId().equals(userId))
            && (reference == null || reference.equals(order.reference()))
            && (status == null || order.status() == status);
  }

  private static @Nullable OrderStatus status(@Nullable String name) {
    if (name == null) {
      return null;
    }
    return Arrays.stream(OrderStatus.values())
        .filter(status -> status.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new BadInputException(
                    "status", "Expected the status of an order, but got another word"));
  }

  private static HoldPlace after(@Nullable String text) {
    if (text == null) {
      return HoldPlace.FIRST;
    }
    Matcher place = PLACE.matcher(text);
    if (!place.matches()) {
      throw new BadInputException("after", "Expected the next of a page, but got another text");
    }
    return new HoldPlace(
        Integer.parseInt(place.group(1)),
        Long.parseLong(place.group(2)),
        Long.parseLong(place.group(3)));
  }

  private static String textOf(HoldPlace place) {
    return place.bucket() + "." + place.epoch() + "." + place.seq();
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
