package io.sluice.http;

import io.sluice.http.CommandBodies.RefundBody;
import io.sluice.metrics.Meters;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Limits;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.reservation.grant.CartWish;
import io.sluice.reservation.grant.OrderWish;
import io.sluice.reservation.grant.PlacedOrder;
import io.sluice.reservation.grant.SkuEntry;
import io.sluice.reservation.order.CommandAnswer;
import io.sluice.reservation.order.OrderAnswer;
import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
import io.sluice.web.Input;
import io.sluice.web.RequestPipeline;
import io.sluice.web.caller.Callers;
import io.sluice.web.caller.TokenSenders;
import io.sluice.web.format.OrderJson;
import io.sluice.web.format.Parameters;
import io.sluice.web.problem.BadInputException;
import io.sluice.web.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The routes of orders. Used by one event loop only. */
public final class OrderRoutes {
  static final String ORDERS = "/v1/orders";
  private static final String ORDER = ORDERS + "/:order_token";
  private static final String REFUNDS = ORDER + "/refunds";
  private static final String A_REFUND = REFUNDS + "/:refund_id";
  private static final CharSequence REQUEST_KEY = HttpHeaders.createOptimized("idempotency-key");
  private static final int WAIT_S_MAX = 30;

  private final Callers callers;
  private final CallLimits limits;
  private final Tickets tickets;
  private final OrderCalls orders;
  private final Meters meters;
  private final OrderProblems problems = new OrderProblems();

  public OrderRoutes(
      Callers callers, CallLimits limits, Tickets tickets, OrderCalls orders, Meters meters) {
    this.callers = callers;
    this.limits = limits;
    this.tickets = tickets;
    this.orders = orders;
    this.meters = meters;
  }

  /** All routes of orders; the first, {@link #placing}, is on the hot path. */
  List<Endpoint> endpoints(RequestPipeline pipeline) {
    Guard buyers = limits.limited(callers.buyersAndBackOffice(), callers::isBackOffice);
    return List.of(
        placing(),
        onOrder(
            HttpMethod.GET,
            ORDER,
            "order",
            buyers,
            Input.query("wait"),
            (e, token) -> find(e, token, pipeline)),
        onOrder(HttpMethod.POST, ORDER + "/cancel", "cancel", buyers, Input.NONE, this::cancel),
        onOrder(
            ORDER + "/confirm",
            "confirm",
            Input.optionalBody(CommandBodies.PAYMENT),
            this::confirm),
        onOrder(ORDER + "/extend", "extend", Input.body(CommandBodies.EXTENSION), this::extend),
        onOrder(
            ORDER + "/refund",
            "refund",
            Input.NONE,
            (e, token) -> answerCommand(e, orders.refund(token, order -> true))),
        onOrder(REFUNDS, "refund_request", Input.body(CommandBodies.REFUND), this::request),
        ending("complete", Step.COMPLETE),
        ending("reject", Step.REJECT));
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
    return orders.isFull();
  }

  private void place(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    String buyer = callers.buyer(request);
    String key = requestKey(request);
    PlaceOrderBody order = PlaceOrderBody.read(exchange.body());
    TokenSenders.Credit credit = limits.credit(request, buyer);
    if (tickets.carriesUnseen(request) && credit.isSpent()) {
      exchange.answer(credit.refusal());
      return;
    }
    SkuEntry entry = tickets.entry(request, buyer, credit);
    if (!order.lines().isEmpty()) {
      placeCart(exchange, buyer, key, order, entry);
    } else if (limits.admits(exchange, buyer, order.skuId(), key)) {
      OrderWish wish =
          new OrderWish(
              buyer, order.skuId(), order.qty(), key, order.reference(), exchange.isTraceAsked());
      exchange.answer(orders.place(wish, entry), placed -> answer(exchange, placed));
    }
  }

  private void placeCart(
      Exchange exchange, String buyer, @Nullable String key, PlaceOrderBody order, SkuEntry entry) {
    CartWish wish =
        new CartWish(buyer, order.lines(), key, order.reference(), exchange.isTraceAsked());
    if (limits.admits(exchange, buyer, wish.skuIds(), key)) {
      exchange.answer(orders.place(wish, entry), placed -> answer(exchange, placed));
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

  private void answer(Exchange exchange, PlacedOrder placed) {
    if (placed instanceof PlacedOrder.Accepted accepted) {
      meters.placed(exchange.age());
      exchange.concerns(accepted.order().token(), accepted.fresh());
      exchange.answer(accepted.fresh() ? 201 : 200, OrderJson.of(accepted.order()));
    } else if (placed instanceof PlacedOrder.Refused refused) {
      if (refused.token() != null) {
        exchange.concerns(refused.token(), false);
      }
      exchange.answer(problems.of(refused));
    }
  }

  // ---- existing orders

  /** A call on one order. */
  private interface OnOrder {
    void handle(Exchange exchange, OrderToken token);
  }

  private Endpoint ending(String word, Step step) {
    String path = A_REFUND + "/" + word;
    return onOrder(path, "refund_" + word, Input.NONE, (e, token) -> end(e, token, step));
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

  private void find(Exchange exchange, OrderToken token, RequestPipeline pipeline) {
    Callers.Actor actor = callers.actor(exchange.request());
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
      exchange.answer(problems.notNow(notNow.busy()));
    } else {
      exchange.answer(Problem.UNKNOWN_ORDER);
    }
  }

  private void cancel(Exchange exchange, OrderToken token) {
    Callers.Actor actor = callers.actor(exchange.request());
    Reason reason = actor.isBackOffice() ? Reason.OPERATOR : Reason.BUYER;
    answerCommand(exchange, orders.cancel(token, reason, actor::mayAct));
  }

  private void confirm(Exchange exchange, OrderToken token) {
    String paymentRef = CommandBodies.paymentRef(exchange.body());
    exchange.answer(
        orders.confirm(token, paymentRef, order -> true),
        answer -> {
          if (paymentRef != null && answer instanceof CommandAnswer.Conflict conflict) {
            exchange.answer(problems.withOrder(conflict));
          } else {
            answer(exchange, answer);
          }
        });
  }

  private void extend(Exchange exchange, OrderToken token) {
    int seconds = CommandBodies.seconds(exchange.body());
    answerCommand(exchange, orders.extend(token, seconds, order -> true));
  }

  private void request(Exchange exchange, OrderToken token) {
    answerPart(exchange, RefundBody.read(exchange.body()).request(token));
  }

  private void end(Exchange exchange, OrderToken token, Step step) {
    String refundId = exchange.pathParam("refund_id");
    if (Limits.isRefundId(refundId)) {
      answerPart(exchange, new Command.RefundPart(token, refundId, 0, step));
    } else {
      exchange.answer(problems.unknownRefund());
    }
  }

  private void answerPart(Exchange exchange, Command.RefundPart part) {
    exchange.answer(
        orders.refund(part, order -> true),
        answer -> {
          Refund refund =
              answer instanceof CommandAnswer.Done done
                  ? done.order().notes().refunds().get(part.refundId())
                  : null;
          if (refund != null && answer instanceof CommandAnswer.Done done) {
            exchange.answer(200, OrderJson.of(done.order(), refund));
          } else {
            answer(exchange, answer);
          }
        });
  }

  private void answerCommand(Exchange exchange, Future<CommandAnswer> outcome) {
    exchange.answer(outcome, answer -> answer(exchange, answer));
  }

  private void answer(Exchange exchange, CommandAnswer answer) {
    if (answer instanceof CommandAnswer.Done done) {
      exchange.answer(200, OrderJson.of(done.order()));
    } else if (answer instanceof CommandAnswer.Conflict conflict) {
      exchange.answer(
          conflict.type() == CommandAnswer.ConflictType.ARCHIVED
              ? problems.withOrder(conflict)
              : problems.of(conflict));
    } else if (answer instanceof CommandAnswer.Accepted accepted) {
      exchange.answer(202, OrderJson.of(accepted.order()));
    } else if (answer instanceof CommandAnswer.NotNow notNow) {
      exchange.answer(problems.notNow(notNow.busy()));
    } else {
      exchange.answer(Problem.UNKNOWN_ORDER);
    }
  }
}
