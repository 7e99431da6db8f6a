package io.sluice.http;

import io.sluice.grant.OrderPlacing;
import io.sluice.grant.OrderWish;
import io.sluice.grant.PlacedOrder;
import io.sluice.grant.SkuEntry;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.order.CommandAnswer;
import io.sluice.order.OrderAnswer;
import io.sluice.order.OrderCalls;
import io.sluice.order.OwnOrders;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The orders behind the routes: scripted answers, recorded calls. */
final class FakeOrders implements OrderPlacing, OrderCalls, OwnOrders {
  /** Whether every instance knows refunds whose units leave the stock. */
  boolean mayWithdraw = true;

  static final OrderToken TOKEN = OrderToken.parse("1001.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
  static final Order RESERVED =
      Order.reserved(Grants.of(TOKEN, "alice", 1, 7, 1, 1795248000123L, 1795248300123L));
  static final Order PENDING = RESERVED.changed(OrderStatus.PENDING, null, 1795248000200L);

  static final long SECOND_SKU = 1002;

  /** Of an order of two SKUs. */
  static final Grant LEAD =
      Grants.ofLead(
          new Cart(
              List.of(
                  new Cart.Line(TOKEN.bucketId(), 1, 1, 7, 1),
                  new Cart.Line(new BucketId(SECOND_SKU, 0), 2, 1, 4, 1))),
          TOKEN,
          "alice",
          1795248000123L,
          1795248300123L,
          null);

  /** An order of two SKUs. */
  static final Order CART = Order.reserved(LEAD);

  /** The calls, as text. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  volatile boolean full;
  volatile Sku sku;
  volatile Future<PlacedOrder> placed;
  volatile Future<OrderAnswer> found;
  volatile Future<Void> waitLeft;
  volatile Future<CommandAnswer> commanded;
  volatile Future<Optional<OwnPage>> owned;
  volatile Future<List<OrderToken>> open;

  /** Whether a list of commands is answered as if one was sent. */
  volatile boolean sent;

  FakeOrders() {
    reset();
  }

  /** Forgets what it was asked, and answers as if all went well. */
  void reset() {
    asked.clear();
    full = false;
    sku = sku(false);
    placed = Future.succeededFuture(new PlacedOrder.Accepted(RESERVED, true));
    found = Future.succeededFuture(new OrderAnswer.Known(PENDING));
    sent = true;
    commanded = Future.succeededFuture(new CommandAnswer.Done(PENDING));
    owned = Future.succeededFuture(Optional.of(new OwnPage(List.of(), Optional.empty())));
    open = Future.succeededFuture(List.of());
  }

  /** The SKU that all orders are for. */
  static Sku sku(boolean ticket) {
    SkuSettings settings = new SkuSettings(300, 0, 0, 0, ticket);
    Placement placement = new Placement(List.of(0));
    return new Sku(
        1001,
        10,
        10,
        1,
        Sku.Mode.FAST,
        settings,
        SkuState.OPEN,
        SkuState.OPEN,
        placement,
        Sku.Membership.NONE,
        null);
  }

  /** The same in its first sale. */
  static Sku inSale(Sku sku, String saleId) {
    return sku.with(
        sku.settings(), sku.state(), sku.thawedState(), new Membership(1, saleId, false, 1, 0));
  }

  @Override
  public Future<Boolean> mayWithdraw() {
    return Future.succeededFuture(mayWithdraw);
  }

  @Override
  public Future<PlacedOrder> place(OrderWish wish, SkuEntry entry) {
    PlacedOrder.Refused barred = entry.refusal(sku);
    if (barred != null) {
      return Future.succeededFuture(barred);
    }
    String between = wish.lines().size() == 1 ? " " : "x";
    String lines =
        wish.lines().stream()
            .map(line -> line.skuId() + between + line.qty())
            .collect(Collectors.joining(","));
    asked.add(
        "place %s %s %s%s%s"
            .formatted(
                wish.userId(),
                lines,
                wish.requestKey(),
                wish.reference() == null ? "" : " for " + wish.reference(),
                wish.traced() ? " traced" : ""));
    return placed;
  }

  @Override
  public Future<Optional<OwnPage>> page(String userId, String after, int limit) {
    asked.add("page %s %s %d".formatted(userId, after, limit));
    return owned;
  }

  @Override
  public Future<List<OrderToken>> open(String userId, long skuId) {
    asked.add("open %s %d".formatted(userId, skuId));
    return open;
  }

  @Override
  public boolean isFull() {
    return full;
  }

  @Override
  public Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct) {
    asked.add("find " + token + " " + seen(mayAct));
    return found;
  }

  @Override
  public Future<OrderAnswer> findChanged(
      OrderToken token, Duration wait, Predicate<Order> mayAct, Future<Void> left) {
    waitLeft = left;
    asked.add("wait " + wait.toSeconds() + " " + token + " " + seen(mayAct));
    return found;
  }

  @Override
  public Future<CommandAnswer> run(Command command, Predicate<Order> mayAct) {
    asked.add(text(command) + " " + command.token() + " " + seen(mayAct));
    return commanded;
  }

  @Override
  public Future<Answers> runAll(List<Command> commands) {
    commands.forEach(command -> asked.add(text(command) + " " + command.token() + " in a list"));
    return commanded.map(
        answer -> new Answers(commands.stream().map(each -> answer).toList(), sent));
  }

  private static String text(Command command) {
    if (command instanceof Command.Confirm confirm) {
      return confirm.paymentRef() == null ? "confirm" : "confirm " + confirm.paymentRef();
    }
    if (command instanceof Command.Cancel cancel) {
      return "cancel " + cancel.reason();
    }
    if (command instanceof Command.Extend extend) {
      return "extend " + extend.seconds();
    }
    return command instanceof Command.RefundPart part
        ? "refund %s %s %d%s".formatted(part.step(), part.refundId(), part.qty(), away(part))
        : "refund" + away(command);
  }

  private static String away(Command command) {
    return command.withdraws() ? " without restock" : "";
  }

  /** Whose orders the caller may act on, of alice's and bob's. */
  private static String seen(Predicate<Order> mayAct) {
    Order bobs =
        Order.reserved(Grants.of(TOKEN, "bob", 1, 8, 1, 0, 0))
            .changed(OrderStatus.PENDING, null, 0);
    boolean hers = mayAct.test(PENDING);
    boolean his = mayAct.test(bobs);
    return hers && his ? "all" : hers ? "alice" : his ? "bob" : "none";
  }
}
