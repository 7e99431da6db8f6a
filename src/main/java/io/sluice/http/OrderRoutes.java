package io.sluice.http;

import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.auth.Callers;
import io.sluice.auth.JwtVerifier.SignatureCredit;
import io.sluice.auth.Tickets;
import io.sluice.grant.OrderPlacing;
import io.sluice.grant.OrderWish;
import io.sluice.grant.PlacedOrder;
import io.sluice.grant.SkuEntry;
import io.sluice.http.OrderBodies.Item;
import io.sluice.http.OrderBodies.PlaceOrderBody;
import io.sluice.http.OrderBodies.RefundBody;
import io.sluice.metrics.Meters;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Refusal;
import io.sluice.order.CommandAnswer;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.order.OrderAnswer;
import io.sluice.order.OrderCalls;
import io.sluice.order.OrderCalls.Answers;
import io.sluice.order.OwnOrders;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.OrderJson;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.sluice.web.RequestPipeline;
import io.sluice.web.Rfc3339;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The routes of orders. Used by one event loop only. */
public final class OrderRoutes {
  static final String ORDERS = "/v1/orders";
  private static final String ORDER = ORDERS + "/:order_token";
  private static final String REFUNDS = ORDER + "/refunds";
  private static final String A_REFUND = REFUNDS + "/:refund_id";
  private static final CharSequence REQUEST_KEY = HttpHeaders.createOptimized("idempotency-key");
  private static final int WAIT_S_MAX = 30;
  private static final Set<OrderStatus> PAID =
      EnumSet.of(OrderStatus.CONFIRMED, OrderStatus.REFUNDED);

  private final Callers callers;
  private final CallLimits limits;
  private final Tickets tickets;
  private final OrderPlacing reservations;
  private final OrderCalls orders;
  private final OwnOrders own;
  private final Meters meters;

  /** The last problem of each refusal; in a stampede the same one is sent over and over. */
  private final Map<Refusal, Worded> last = new EnumMap<>(Refusal.class);

  private record Worded(PlacedOrder.Refused refused, Problem problem) {}

  public OrderRoutes(
      Callers callers,
      CallLimits limits,
      Tickets tickets,
      OrderPlacing reservations,
      OrderCalls orders,
      OwnOrders own,
      Meters meters) {
    this.callers = callers;
    this.limits = limits;
    this.tickets = tickets;
    this.reservations = reservations;
    this.orders = orders;
    this.own = own;
    this.meters = meters;
  }

  /** All routes of orders; the first, {@link #placing}, is on the hot path. */
  List<Endpoint> endpoints(RequestPipeline pipeline) {
    Guard buyers = limits.limited(callers.buyersAndBackOffice(), callers::isBackOffice);
    return List.of(
        placing(),
        // Before the orders: it is no token of one.
        new Endpoint(
            HttpMethod.POST,
            ORDERS + "/commands",
            "commands",
            callers.backOffice(),
            Input.largeBody(OrderBodies.COMMANDS),
            this::runAll),
        new Endpoint(
            HttpMethod.GET,
            ORDERS,
            "own_orders",
            limits.limited(callers.buyers()),
            Input.query("after", "limit"),
            this::list),
        onOrder(
            HttpMethod.GET,
            ORDER,
            "order",
            buyers,
            Input.query("wait"),
            (e, token) -> find(e, token, pipeline)),
        onOrder(HttpMethod.POST, ORDER + "/cancel", "cancel", buyers, Input.NONE, this::cancel),
        onOrder(
            ORDER + "/confirm", "confirm", Input.optionalBody(OrderBodies.PAYMENT), this::confirm),
        onOrder(ORDER + "/extend", "extend", Input.body(OrderBodies.EXTENSION), this::extend),
        onOrder(
            ORDER + "/refund",
            "refund",
            Input.optionalBody(OrderBodies.RESTOCK),
            (e, token) -> run(e, new Command.Refund(token, OrderBodies.restock(e.body())))),
        onOrder(REFUNDS, "refund_request", Input.body(OrderBodies.REFUND), this::request),
        onOrder(
            A_REFUND + "/complete",
            "refund_complete",
            Input.optionalBody(OrderBodies.RESTOCK),
            (e, token) -> end(e, token, Step.COMPLETE, OrderBodies.restock(e.body()))),
        onOrder(
            A_REFUND + "/reject",
            "refund_reject",
            Input.NONE,
            (e, token) -> end(e, token, Step.REJECT, true)));
  }

  // ---- placing orders

  /** The hot call, which may be served without a router. */
  Endpoint placing() {
    Guard buyers = limits.placing(callers.buyers(), callers::buyer);
    return new Endpoint(
        HttpMethod.POST, ORDERS, "place", buyers, Input.body(PlaceOrderBody.FIELDS), this::place);
  }

  /** Whether orders are refused because too many are being granted. */
  boolean isFull() {
    return reservations.isFull();
  }

  private void place(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    String buyer = callers.buyer(exchange);
    String key = requestKey(request);
    PlaceOrderBody order = PlaceOrderBody.read(exchange.body());
    SkuEntry entry = Tickets.WITHOUT_KEY;
    if (tickets.isOn()) {
      SignatureCredit credit = limits.credit(request, buyer);
      if (tickets.carriesUnseen(request) && credit.isSpent()) {
        exchange.answer(credit.refusal());
        return;
      }
      entry = tickets.entry(request, buyer, credit);
    }
    OrderWish wish =
        new OrderWish(buyer, order.lines(), key, order.reference(), exchange.isTraceAsked());
    long[] skuIds = new long[wish.lines().size()];
    for (int i = 0; i < skuIds.length; i++) {
      skuIds[i] = wish.lines().get(i).skuId();
    }
    if (limits.admits(exchange, buyer, skuIds, key)) {
      exchange.answer(reservations.place(wish, entry), placed -> answer(exchange, wish, placed));
    }
  }

  private static @Nullable String requestKey(HttpServerRequest request) {
    List<String> keys = request.headers().getAll(REQUEST_KEY);
    if (keys.isEmpty()) {
      return null;
    }
    if (keys.size() > 1 || !Limits.isRequestKey(keys.get(0))) {
      throw new BadInputException(
          "Idempotency-Key",
          "Expected one Idempotency-Key of 1 to "
              + Limits.REQUEST_KEY_MAX
              + " visible ASCII characters, but got another");
    }
    return keys.get(0);
  }

  private void answer(Exchange exchange, OrderWish wish, PlacedOrder placed) {
    if (placed instanceof PlacedOrder.Accepted accepted) {
      meters.placed(exchange.age());
      exchange.concerns(accepted.order().token(), accepted.fresh());
      exchange.answer(accepted.fresh() ? 201 : 200, OrderJson.of(accepted.order()));
    } else {
      PlacedOrder.Refused refused = (PlacedOrder.Refused) placed;
      if (refused.token() != null) {
        exchange.concerns(refused.token(), false);
      }
      if (refused.refusal() == Refusal.LIMIT_REACHED) {
        limitReached(exchange, wish, refused);
      } else {
        exchange.answer(problem(refused));
      }
    }
  }

  /** Names the buyer's own orders that he may pay or cancel. */
  private void limitReached(Exchange exchange, OrderWish wish, PlacedOrder.Refused refused) {
    long skuId = refused.skuId() == 0 ? wish.lines().get(0).skuId() : refused.skuId();
    exchange.answer(
        own.open(wish.userId(), skuId),
        open -> {
          Problem problem = problem(refused);
          List<String> tokens = open.stream().map(OrderToken::value).toList();
          exchange.answer(
              tokens.isEmpty() ? problem : problem.with("open_orders", new JsonArray(tokens)));
        });
  }

  private Problem problem(PlacedOrder.Refused refused) {
    Worded worded = last.get(refused.refusal());
    if (worded == null || !worded.refused.isWordedLike(refused)) {
      Problem problem =
          Problem.retry(refused.refusal().type(), refused.detail(), refused.retryAfterS());
      if (refused.skuId() != 0) {
        problem = problem.with("sku_id", refused.skuId());
      }
      String opensAt = Rfc3339.orNull(refused.opensAtMs());
      worded = new Worded(refused, opensAt == null ? problem : problem.with("opens_at", opensAt));
      last.put(refused.refusal(), worded);
    }
    return worded.problem;
  }

  // ---- existing orders

  /** A call on one order. */
  private interface OnOrder {
    void handle(Exchange exchange, OrderToken token);
  }

  /** A call of the back office. */
  private Endpoint onOrder(String path, String name, Input input, OnOrder call) {
    return onOrder(HttpMethod.POST, path, name, callers.backOffice(), input, call);
  }

  private static Endpoint onOrder(
      HttpMethod method, String path, String name, Guard guard, Input input, OnOrder call) {
    return new Endpoint(
        method,
        path,
        name,
        guard,
        input,
        exchange -> {
          Optional<OrderToken> token = OrderToken.parse(exchange.pathParam("order_token"));
          if (token.isPresent()) {
            // A poll may be repeated without end.
            if (!method.equals(HttpMethod.GET)) {
              exchange.concerns(token.get(), false);
            }
            call.handle(exchange, token.get());
          } else {
            exchange.answer(Problem.UNKNOWN_ORDER);
          }
        });
  }

  private void list(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    long limit =
        Parameters.wholeNumber(request, "limit", 1, OwnOrders.PAGE_MAX, OwnOrders.PAGE_MAX);
    String after = Parameters.given(request, "after").orElse(null);
    own.page(callers.buyer(exchange), after, Math.toIntExact(limit))
        .onComplete(
            read ->
                exchange.guard(
                    () -> {
                      if (read.succeeded()) {
                        exchange.answer(200, json(read.result().orElseThrow(Parameters::noNext)));
                      } else {
                        exchange.answer(
                            QueueFullException.isWhy(read.cause())
                                ? Problem.OVERLOADED
                                : Problem.PART_DOWN);
                      }
                    }));
  }

  private static Buffer json(OwnOrders.OwnPage page) {
    Buffer json = Buffer.buffer("{\"orders\":[");
    String separator = "";
    for (Order order : page.orders()) {
      json.appendString(separator).appendBuffer(OrderJson.of(order));
      separator = ",";
    }
    String next = page.next().map(text -> '"' + text + '"').orElse("null");
    return json.appendString("],\"next\":" + next + "}");
  }

  private void find(Exchange exchange, OrderToken token, RequestPipeline pipeline) {
    Callers.Actor actor = callers.actor(exchange);
    long waitS = Parameters.wholeNumber(exchange.request(), "wait", 0, WAIT_S_MAX, 0);
    Supplier<Future<OrderAnswer>> known = () -> orders.find(token, actor::mayAct);
    if (waitS == 0) {
      exchange.answer(known.get(), answer -> answer(exchange, answer));
      return;
    }
    Duration wait = Duration.ofSeconds(waitS);
    pipeline.poll(
        exchange,
        actor.buyer(),
        left -> orders.findChanged(token, wait, actor::mayAct, left),
        known,
        answer -> answer(exchange, answer));
  }

  private void answer(Exchange exchange, OrderAnswer answer) {
    if (answer instanceof OrderAnswer.Known known) {
      exchange.answer(200, OrderJson.of(known.order()));
    } else if (answer instanceof OrderAnswer.NotNow notNow) {
      exchange.answer(notNow.busy() ? Problem.LOADING : Problem.PART_DOWN);
    } else if (answer instanceof OrderAnswer.Unknown) {
      exchange.answer(Problem.UNKNOWN_ORDER);
    }
  }

  private void cancel(Exchange exchange, OrderToken token) {
    Callers.Actor actor = callers.actor(exchange);
    Reason reason = actor.isBackOffice() ? Reason.OPERATOR : Reason.BUYER;
    Command cancel = new Command.Cancel(token, reason);
    exchange.answer(
        orders.run(cancel, actor::mayAct), answer -> Reply.to(cancel, answer).send(exchange));
  }

  private void confirm(Exchange exchange, OrderToken token) {
    run(exchange, new Command.Confirm(token, OrderBodies.paymentRef(exchange.body())));
  }

  /** Its caller has to know what the order was paid with, and which money must go back. */
  private static Problem ofPayment(CommandAnswer.Conflict conflict, String paymentRef) {
    Problem problem = withOrder(conflict);
    Order order = conflict.order();
    boolean counts = PAID.contains(order.status()) && paymentRef.equals(order.notes().paymentRef());
    return counts ? problem : problem.with("payment_to_return", paymentRef);
  }

  private void extend(Exchange exchange, OrderToken token) {
    run(exchange, new Command.Extend(token, OrderBodies.seconds(exchange.body())));
  }

  /** Runs a command of the back office. */
  private void run(Exchange exchange, Command command) {
    exchange.answer(
        orders.run(command, order -> true), answer -> Reply.to(command, answer).send(exchange));
  }

  private void runAll(Exchange exchange) {
    List<Item> items = Item.readAll(exchange.body());
    List<Command> commands =
        items.stream().flatMap(item -> Stream.ofNullable(item.command())).toList();
    exchange.answer(orders.runAll(commands), answers -> answer(exchange, items, answers));
  }

  /** If nothing was sent, and everything is to be repeated, so is the call. */
  private static void answer(Exchange exchange, List<Item> items, Answers answers) {
    List<CommandAnswer> inOrder = answers.inOrder();
    if (!answers.sent()
        && inOrder.size() == items.size()
        && inOrder.stream().allMatch(CommandAnswer.NotNow.class::isInstance)) {
      exchange.answer(notNow((CommandAnswer.NotNow) inOrder.get(0)));
      return;
    }
    Iterator<CommandAnswer> next = inOrder.iterator();
    Buffer json = Buffer.buffer("{\"results\":[");
    String between = "";
    for (Item item : items) {
      Command command = item.command();
      Reply reply =
          command == null
              ? Reply.of(Objects.requireNonNull(item.problem()))
              : Reply.to(command, next.next());
      reply.append(json.appendString(between));
      between = ",";
    }
    exchange.answer(200, json.appendString("]}"));
  }

  private void request(Exchange exchange, OrderToken token) {
    run(exchange, RefundBody.read(exchange.body()).request(token));
  }

  private void end(Exchange exchange, OrderToken token, Step step, boolean restock) {
    String refundId = exchange.pathParam("refund_id");
    if (Limits.isRefundId(refundId)) {
      run(exchange, new Command.RefundPart(token, refundId, 0, step, 0, restock));
    } else {
      exchange.answer(problem(ConflictType.UNKNOWN_REFUND));
    }
  }

  /**
   * What a command is answered.
   *
   * @param json of the order, or of the problem
   */
  private record Reply(int status, Buffer json, @Nullable Problem problem) {

    static Reply of(Problem problem) {
      return new Reply(problem.type().status(), problem.json(), problem);
    }

    static Reply to(Command command, CommandAnswer answer) {
      if (answer instanceof CommandAnswer.Done done) {
        Refund refund =
            command instanceof Command.RefundPart part
                ? done.order().notes().refunds().get(part.refundId())
                : null;
        return new Reply(
            200,
            refund == null ? OrderJson.of(done.order()) : OrderJson.of(done.order(), refund),
            null);
      }
      if (answer instanceof CommandAnswer.Accepted accepted) {
        return new Reply(202, OrderJson.of(accepted.order()), null);
      }
      if (answer instanceof CommandAnswer.Conflict conflict) {
        String paymentRef =
            command instanceof Command.Confirm confirm ? confirm.paymentRef() : null;
        if (paymentRef != null) {
          return of(ofPayment(conflict, paymentRef));
        }
        return of(
            conflict.type() == ConflictType.ARCHIVED
                ? withOrder(conflict)
                : OrderRoutes.problem(conflict.type()));
      }
      if (answer instanceof CommandAnswer.NotNow notNow) {
        return of(notNow(notNow));
      }
      if (answer instanceof CommandAnswer.NotYet) {
        return of(Problem.NOT_YET);
      }
      if (answer instanceof CommandAnswer.Unknown) {
        return of(Problem.UNKNOWN_ORDER);
      }
      throw new IllegalStateException("Expected an outcome of a command, but got " + answer);
    }

    void send(Exchange exchange) {
      if (problem == null) {
        exchange.answer(status, json);
      } else {
        exchange.answer(problem);
      }
    }

    /** As one of several. */
    void append(Buffer results) {
      results.appendString("{\"status\":" + status);
      if (problem != null && problem.retryAfterS() > 0) {
        results.appendString(",\"retry_after_s\":" + problem.retryAfterS());
      }
      results.appendString(problem == null ? ",\"order\":" : ",\"problem\":");
      results.appendBuffer(json).appendString("}");
    }
  }

  private static Problem notNow(CommandAnswer.NotNow notNow) {
    return notNow.busy() ? Problem.LOADING : Problem.PART_DOWN;
  }

  private static Problem problem(ConflictType type) {
    return type == ConflictType.NO_SUCH_LINE
        ? Problem.of(type.type(), "sku_id", type.detail())
        : Problem.of(type.type(), type.detail());
  }

  private static Problem withOrder(CommandAnswer.Conflict conflict) {
    return problem(conflict.type()).with("order", new JsonObject(OrderJson.of(conflict.order())));
  }
}
