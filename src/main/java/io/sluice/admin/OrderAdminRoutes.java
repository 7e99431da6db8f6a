package io.sluice.admin;

import io.sluice.admin.AdminCall.Outcome;
import io.sluice.async.AsyncLoop;
import io.sluice.config.Config.TracingConfig;
import io.sluice.ledger.History;
import io.sluice.ledger.History.Chapter;
import io.sluice.ledger.History.FoundPlace;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.SalePlace;
import io.sluice.ledger.History.Story;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.Command;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.order.CommandAnswer;
import io.sluice.order.OrderCalls;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.JsonFields;
import io.sluice.web.OrderJson;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.sluice.web.Rfc3339;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The operators' calls for orders: the booked ones of a SKU or a sale, those that one looks up, the
 * story of one, and a command on it.
 */
record OrderAdminRoutes(
    History stories,
    SkuLedger skus,
    OrderCalls orders,
    TracingConfig tracing,
    Traces traces,
    Guard operators) {
  private static final List<String> COMMAND = List.of("command", "seconds", "restock");
  private static final Pattern HOLD = Pattern.compile("(\\d{1,3})\\.(\\d{1,18})\\.(\\d{1,18})");

  List<Endpoint> endpoints() {
    return List.of(
        get(
            "/admin/orders",
            "admin_orders",
            Input.query(
                "sku_id",
                "sale_id",
                "status",
                "user_id",
                "reference",
                "payment_ref",
                "after",
                "limit",
                "format"),
            this::list),
        get(
            "/admin/orders/:order_token",
            "admin_order",
            Input.NONE,
            exchange -> AdminCall.answer(exchange, story(exchange))),
        AdminCall.of(
            HttpMethod.POST,
            "/admin/orders/:order_token/command",
            "admin_command",
            operators,
            Input.body(COMMAND),
            this::command));
  }

  private Endpoint get(String path, String name, Input input, Consumer<Exchange> call) {
    return new Endpoint(HttpMethod.GET, path, name, operators, input, call);
  }

  // ---- a command on one order

  private Future<Outcome> command(Exchange exchange) {
    Function<OrderToken, Command> command = command(exchange.body());
    Optional<OrderToken> token = OrderToken.parse(exchange.pathParam("order_token"));
    if (token.isEmpty()) {
      return AdminCall.no(Problem.UNKNOWN_ORDER);
    }
    exchange.concerns(token.get(), false);
    return orders.run(command.apply(token.get()), order -> true).map(OrderAdminRoutes::outcome);
  }

  private static Function<OrderToken, Command> command(Buffer body) {
    String word = "";
    int seconds = 0;
    Boolean restock = null;
    try (JsonFields fields = JsonFields.of(body, COMMAND)) {
      for (String name = fields.next(); name != null; name = fields.next()) {
        switch (name) {
          case "command" -> word = fields.text();
          case "seconds" ->
              seconds = Math.toIntExact(fields.wholeNumber(1, Limits.EXTENSION_S_MAX));
          case "restock" -> restock = fields.flag();
          default -> throw fields.unknown();
        }
      }
      fields.require("command");
    }
    int extension = seconds;
    if (word.equals("extend") != (extension > 0)) {
      throw new BadInputException(
          "seconds",
          word.equals("extend")
              ? "Expected the seconds of the extension, but they are missing"
              : "Expected seconds with the command extend alone, but got another");
    }
    if (restock != null && !word.equals("refund")) {
      throw new BadInputException(
          "restock", "Expected restock with the command refund alone, but got another");
    }
    boolean sellsAgain = restock == null || restock;
    return switch (word) {
      case "confirm" -> Command.Confirm::new;
      case "cancel" -> token -> new Command.Cancel(token, Reason.OPERATOR);
      case "extend" -> token -> new Command.Extend(token, extension);
      case "refund" -> token -> new Command.Refund(token, sellsAgain);
      default ->
          throw new BadInputException(
              "command", "Expected confirm, cancel, extend or refund, but got another");
    };
  }

  private static Outcome outcome(CommandAnswer answer) {
    if (answer instanceof CommandAnswer.Done done) {
      return new Outcome.Done(200, "", json(done.order(), Map.of()));
    }
    if (answer instanceof CommandAnswer.Accepted accepted) {
      return new Outcome.Done(202, "", json(accepted.order(), Map.of()));
    }
    if (answer instanceof CommandAnswer.Conflict conflict) {
      return new Outcome.No(Problem.of(conflict.type().type(), conflict.type().detail()));
    }
    if (answer instanceof CommandAnswer.NotYet) {
      return new Outcome.No(Problem.NOT_YET);
    }
    if (answer instanceof CommandAnswer.Unknown) {
      return new Outcome.No(Problem.UNKNOWN_ORDER);
    }
    boolean isBusy = ((CommandAnswer.NotNow) answer).busy();
    return new Outcome.No(isBusy ? Problem.LOADING : Problem.PART_DOWN);
  }

  // ---- the orders of a SKU or a sale

  /** The booked orders that a call asks for: those of a SKU, or of a sale. */
  private interface OrderList {
    /**
     * The orders behind a place, or the first ones. Empty if there is no such sale. Throws {@link
     * BadInputException} if the text is no place of this list.
     */
    Future<Optional<Part>> part(Optional<String> after, int limit);
  }

  /**
   * Orders of a list.
   *
   * @param next where the next part begins, as text; empty at the end
   */
  record Part(List<Order> orders, Optional<String> next) {
    /** The part that ends at a place; the whole rest of the list if it is complete. */
    static Part endingAt(String last, List<Order> orders, boolean complete) {
      return new Part(orders, complete ? Optional.empty() : Optional.of(last));
    }
  }

  /** A page is of orders that were looked at, so one with a filter may show fewer, or none. */
  private void list(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    Filter filter = Filter.of(request);
    OrderList list = list(request, filter);
    Optional<String> after = Parameters.given(request, "after");
    Export export = Export.of(Parameters.given(request, "format").orElse("json"));
    if (export != null) {
      export(exchange, list, filter, after, export);
      return;
    }
    AdminCall.answer(
        exchange,
        list.part(after, AdminCall.limit(exchange, History.PAGE_MAX))
            .compose(
                part ->
                    part.isPresent()
                        ? json(part.get(), filter).map(AdminCall::ok)
                        : AdminCall.no(Problem.UNKNOWN_SALE)));
  }

  private Future<JsonObject> json(Part part, Filter filter) {
    List<Order> shown = part.orders().stream().filter(filter).toList();
    return names(shown)
        .map(
            names ->
                new JsonObject()
                    .put(
                        "orders",
                        new JsonArray(shown.stream().map(order -> json(order, names)).toList()))
                    .put("next", part.next().orElse(null)));
  }

  /** The names of the SKUs of these orders that have one. */
  private Future<Map<Long, String>> names(List<Order> orders) {
    Set<Long> ids = new TreeSet<>();
    orders.forEach(order -> order.lineTokens().forEach(line -> ids.add(line.skuId())));
    Map<Long, String> names = new HashMap<>();
    return skus.skus(ids)
        .map(
            found -> {
              found.forEach(
                  (id, sku) -> {
                    if (sku.name() != null) {
                      names.put(id, sku.name());
                    }
                  });
              return names;
            });
  }

  private OrderList list(HttpServerRequest request, Filter filter) {
    long skuId = Parameters.wholeNumber(request, "sku_id", 1, Long.MAX_VALUE, 0);
    Optional<String> saleId = Parameters.given(request, "sale_id");
    if (saleId.isEmpty() && skuId == 0) {
      return found(filter);
    }
    if (filter.paymentRef().isPresent()) {
      throw new BadInputException(
          "payment_ref", "Expected payment_ref without sku_id and sale_id, but got one of them");
    }
    if (saleId.isEmpty()) {
      return (after, limit) -> ofSku(stories, skuId, after, limit).map(Optional::of);
    }
    if (skuId != 0) {
      throw new BadInputException("sale_id", "Expected no sale_id beside sku_id, but got both");
    }
    String id = AdminCall.saleId(saleId.get());
    return (after, limit) -> ofSale(stories, id, after, limit);
  }

  /** The orders of all SKUs that one of these finds. */
  private OrderList found(Filter filter) {
    Map<History.By, String> sought = filter.sought();
    if (sought.isEmpty()) {
      throw new BadInputException(
          "sku_id",
          "Expected one of sku_id, sale_id, user_id, reference, payment_ref, but all are missing");
    }
    if (sought.size() > 1) {
      throw new BadInputException(
          "user_id",
          "Expected one of user_id, reference, payment_ref where there is no sku_id and no sale_id,"
              + " but got several");
    }
    Map.Entry<History.By, String> one = sought.entrySet().iterator().next();
    return (after, limit) ->
        stories
            .lookUp(
                one.getKey(),
                one.getValue(),
                after
                    .map(text -> FoundPlace.parse(text).orElseThrow(Parameters::noNext))
                    .orElse(FoundPlace.NEWEST),
                limit)
            .map(page -> Optional.of(new Part(page.orders(), page.next().map(FoundPlace::text))));
  }

  /** The orders of a SKU, of all its sales. A place is {@code bucket.epoch.seq}. */
  static Future<Part> ofSku(History stories, long skuId, Optional<String> after, int limit) {
    return stories
        .page(skuId, after.map(OrderAdminRoutes::hold).orElse(HoldPlace.FIRST), limit)
        .map(page -> Part.endingAt(text(page.last()), page.orders(), page.complete()));
  }

  /** The orders of a sale. A place is {@code sku_id.bucket.epoch.seq}. */
  static Future<Optional<Part>> ofSale(
      History stories, String saleId, Optional<String> after, int limit) {
    return stories
        .pageOfSale(saleId, after.map(OrderAdminRoutes::place).orElse(SalePlace.FIRST), limit)
        .map(
            found ->
                found.map(
                    page ->
                        Part.endingAt(
                            page.last().skuId() + "." + text(page.last().hold()),
                            page.orders(),
                            page.complete())));
  }

  private static SalePlace place(String text) {
    int dot = text.indexOf('.');
    OptionalLong skuId = dot < 0 ? OptionalLong.empty() : Parameters.skuId(text.substring(0, dot));
    if (skuId.isEmpty()) {
      throw Parameters.noNext();
    }
    return new SalePlace(skuId.getAsLong(), hold(text.substring(dot + 1)));
  }

  private static HoldPlace hold(String text) {
    Matcher place = HOLD.matcher(text);
    if (!place.matches()) {
      throw Parameters.noNext();
    }
    return new HoldPlace(
        Integer.parseInt(place.group(1)),
        Long.parseLong(place.group(2)),
        Long.parseLong(place.group(3)));
  }

  private static String text(HoldPlace place) {
    return place.bucket() + "." + place.epoch() + "." + place.seq();
  }

  /** The orders that are shown of those that were looked at. */
  private record Filter(
      Optional<String> userId,
      Optional<String> reference,
      Optional<String> paymentRef,
      Optional<OrderStatus> status)
      implements Predicate<Order> {

    static Filter of(HttpServerRequest request) {
      return new Filter(
          Parameters.given(request, "user_id").map(AdminCall::userId),
          Parameters.given(request, "reference").map(OrderAdminRoutes::reference),
          Parameters.given(request, "payment_ref").map(OrderAdminRoutes::paymentRef),
          Parameters.given(request, "status").map(OrderAdminRoutes::status));
    }

    /** What orders of all SKUs may be looked up by. */
    Map<History.By, String> sought() {
      Map<History.By, String> sought = new EnumMap<>(History.By.class);
      userId.ifPresent(text -> sought.put(History.By.USER, text));
      reference.ifPresent(text -> sought.put(History.By.REFERENCE, text));
      paymentRef.ifPresent(text -> sought.put(History.By.PAYMENT, text));
      return sought;
    }

    /** An order is looked up by its payments before, since it may show another one. */
    @Override
    public boolean test(Order order) {
      return (userId.isEmpty() || order.userId().equals(userId.get()))
          && (reference.isEmpty() || reference.get().equals(order.reference()))
          && (status.isEmpty() || order.status() == status.get());
    }
  }

  private static String paymentRef(String text) {
    if (!Limits.isPaymentRef(text)) {
      throw new BadInputException(
          "payment_ref",
          "Expected 1 to %d visible ASCII characters, but got another"
              .formatted(Limits.PAYMENT_REF_MAX));
    }
    return text;
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

  private static OrderStatus status(String word) {
    return AdminCall.word(OrderStatus.values(), "status", word, "the status of an order");
  }

  // ---- the same as lines

  /**
   * How all orders of a list are sent.
   *
   * @param head before the first order
   */
  private record Export(
      CharSequence mediaType, String head, BiFunction<Order, Map<Long, String>, String> line) {
    private static final Export LINES =
        new Export(
            HttpHeaders.createOptimized("application/x-ndjson"),
            "",
            (order, names) -> json(order, names).encode() + "\n");
    private static final Export TABLE =
        new Export(
            HttpHeaders.createOptimized("text/csv; charset=utf-8; header=present"),
            OrderCsv.HEAD,
            OrderCsv::row);

    /** Null for pages as JSON. */
    static @Nullable Export of(String format) {
      return switch (format) {
        case "json" -> null;
        case "ndjson" -> LINES;
        case "csv" -> TABLE;
        default ->
            throw new BadInputException(
                "format", "Expected json, ndjson or csv, but got another word");
      };
    }

    Buffer lines(List<Order> orders, Map<Long, String> names) {
      Buffer lines = Buffer.buffer();
      orders.forEach(each -> lines.appendString(line.apply(each, names)));
      return lines;
    }
  }

  /**
   * All orders of a list, each a line. The next page is read once the one before has been sent, so
   * an export of any length takes the memory of a page. If it cannot go on, its connection is
   * closed before the last chunk; a failure of the first page is still answered with a problem.
   */
  private void export(
      Exchange exchange,
      OrderList list,
      Predicate<Order> filter,
      Optional<String> after,
      Export export) {
    exchange.answer(
        list.part(after, History.PAGE_MAX),
        first -> {
          if (first.isEmpty()) {
            exchange.answer(Problem.UNKNOWN_SALE);
            return;
          }
          boolean isHead = HttpMethod.HEAD.equals(exchange.request().method());
          exchange.begin(export.mediaType());
          (isHead
                  ? Future.<Void>succeededFuture()
                  : exchange
                      .send(Buffer.buffer(export.head()))
                      .compose(begun -> sendAll(exchange, list, filter, first.get(), export)))
              .onSuccess(sent -> exchange.end())
              .onFailure(gone -> exchange.cutOff());
        });
  }

  private Future<Void> sendAll(
      Exchange exchange, OrderList list, Predicate<Order> filter, Part first, Export export) {
    AtomicReference<Part> part = new AtomicReference<>(first);
    return AsyncLoop.whileTrue(
        () -> {
          Part now = Objects.requireNonNull(part.get());
          List<Order> shown = now.orders().stream().filter(filter).toList();
          return names(shown)
              .compose(names -> exchange.send(export.lines(shown, names)))
              .compose(
                  sent ->
                      now.next().isEmpty()
                          ? Future.succeededFuture(false)
                          : list.part(now.next(), History.PAGE_MAX)
                              .map(
                                  next -> {
                                    // A sale that there was stays.
                                    part.set(next.orElseThrow());
                                    return true;
                                  }));
        });
  }

  // ---- one order

  private Future<Outcome> story(Exchange exchange) {
    Optional<OrderToken> token = OrderToken.parse(exchange.pathParam("order_token"));
    if (token.isEmpty()) {
      return AdminCall.no(Problem.UNKNOWN_ORDER);
    }
    return stories
        .story(token.get())
        .compose(
            found ->
                found.isPresent()
                    ? names(List.of(found.get().order()))
                        .map(names -> AdminCall.ok(traced(json(found.get(), names), found.get())))
                    : AdminCall.no(Problem.UNKNOWN_ORDER));
  }

  /** As operators see it, with the names of its SKUs. */
  private static JsonObject json(Order order, Map<Long, String> names) {
    JsonObject json =
        new JsonObject(OrderJson.of(order))
            .put("units", order.units())
            .put("user_id", order.userId());
    if (order.cart() == null) {
      name(json, names);
    } else {
      json.getJsonArray("lines").forEach(line -> name((JsonObject) line, names));
    }
    return json;
  }

  private static void name(JsonObject ofSku, Map<Long, String> names) {
    String name = names.get(ofSku.getLong("sku_id"));
    if (name != null) {
      ofSku.put("name", name);
    }
  }

  /**
   * The clock of Redis may differ from the ledger's, so the time until the booking may be negative.
   */
  private static JsonObject json(Story story, Map<Long, String> names) {
    JsonArray chapters = new JsonArray();
    long beforeMs = 0;
    for (Chapter chapter : story.chapters()) {
      JsonObject told =
          new JsonObject()
              .put("what", chapter.what())
              .put("at", Rfc3339.orNull(chapter.atMs()))
              .put("after_ms", beforeMs == 0 ? 0 : chapter.atMs() - beforeMs)
              .put("qty", chapter.qty());
      if (chapter.skuId() != 0) {
        told.put("sku_id", chapter.skuId());
      }
      if (Chapter.WITHDRAWN.equals(chapter.reason())) {
        told.put("restock", false);
      } else if (chapter.reason() != null) {
        told.put("reason", chapter.reason());
      }
      if (chapter.reference() != null) {
        told.put("reference", chapter.reference());
      }
      chapters.add(told);
      beforeMs = chapter.atMs();
    }
    return json(story.order(), names).put("story", chapters);
  }

  /** Adds what is known of the trace of an order; nothing if traces are off. */
  private JsonObject traced(JsonObject order, Story story) {
    if (!traces.isOn()) {
      return order;
    }
    OrderToken token = story.order().token();
    String traceId = TraceContext.ofOrder(token).traceId();
    JsonObject trace =
        new JsonObject().put("id", traceId).put("sampled", traces.samples(token.value()));
    if (!tracing.link().isEmpty()) {
      trace.put("url", tracing.linkOf(traceId));
    }
    return order.put("trace", trace);
  }
}
