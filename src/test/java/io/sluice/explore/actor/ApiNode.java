package io.sluice.explore.actor;

import io.sluice.async.LoopContext;
import io.sluice.async.RateLimit;
import io.sluice.explore.check.Asked;
import io.sluice.explore.run.NodeStores;
import io.sluice.explore.run.Routes;
import io.sluice.explore.run.World;
import io.sluice.explore.store.Wire;
import io.sluice.grant.Backlog;
import io.sluice.grant.Borrowing;
import io.sluice.grant.GrantRouter;
import io.sluice.grant.OrderWish;
import io.sluice.grant.PlacedOrder;
import io.sluice.grant.Reservations;
import io.sluice.grant.SaleTallies;
import io.sluice.grant.SkuEntry;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Fence;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.order.CommandAnswer;
import io.sluice.order.LoopStores;
import io.sluice.order.OrderAnswer;
import io.sluice.order.OrderCache;
import io.sluice.order.Orders;
import io.sluice.order.SkuCatalog;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.stock.StockStore;
import io.sluice.testkit.Ports;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/** An instance as its buyers see it. */
public final class ApiNode {
  private static final int LAST_FACTOR = 20;
  private static final int UNDER_WAY_MAX = 1_000;

  private final World world;
  private final Node node;
  private final Reservations reservations;
  private final Orders orders;
  private final OrderCache cache;
  private final InMemoryEvents.Feed feed;

  ApiNode(World world, Node node) {
    this.world = world;
    this.node = node;
    LoopContext loop = node.loop();
    NodeStores reached = world.storesOf(node);
    StockStore stock = reached.stock();
    LoopStores stores =
        new LoopStores(
            partition -> stock,
            reached.log(),
            reached.ledger(),
            reached.skus(),
            Ports.partly(DirectLedger.class, new Object()));
    SkuCatalog catalog = new SkuCatalog(stores.skus(), node::nanoTime, false);
    this.cache =
        new OrderCache(world.scenario().partitions(), node::nanoTime, (made, than) -> true);
    this.orders = new Orders(stores, loop, catalog, cache, world.apiConfig());
    this.reservations =
        new Reservations(
            stores,
            loop,
            catalog,
            world.tokens(),
            orders,
            new Borrowing(stores.skus(), loop, () -> {}),
            world.apiConfig(),
            admission(stores),
            world.ledger().sales()::sale,
            new SaleTallies(),
            world.meters(),
            Traces.OFF);
    this.feed = world.events().feed();
    feed.start(cache);
  }

  private Reservations.Admission admission(LoopStores stores) {
    Routes routes = world.scenario().routes();
    Backlog backlog =
        new Backlog(
            stores.log(),
            stores.ledger(),
            world.scenario().partitions(),
            routes.lagLimit(),
            node::nanoTime,
            world.meters());
    GrantRouter router =
        new GrantRouter(
            stores.log(),
            backlog,
            new RateLimit(routes.directPerS(), node::nanoTime),
            routes.pastLogOverLimit(),
            world.meters());
    return new Reservations.Admission(UNDER_WAY_MAX, LAST_FACTOR, router, backlog);
  }

  Node node() {
    return node;
  }

  void committed(Fence fence, Collection<Order> committed) {
    cache.committed(fence, committed);
  }

  /** Called when events are published; the node is notified of them after a delay. */
  void published() {
    SplittableRandom draws = world.chance().of(node.name(), "hear", node.count("hear"));
    node.after(Wire.travelUs(draws), feed::deliver);
  }

  public Future<PlacedOrder> place(Buyer.OrderRequest wanted) {
    Asked asked = world.told().asked(wanted, world);
    return granted(wanted)
        .onSuccess(
            answer -> {
              world.say(() -> node + " tells " + wanted + ": " + answer);
              world.told().placed(asked, answer, world);
            });
  }

  private Future<PlacedOrder> granted(Buyer.OrderRequest wanted) {
    List<OrderWish.Line> lines =
        wanted.isCart()
            ? wanted.skuIds().stream().map(id -> new OrderWish.Line(id, wanted.qty())).toList()
            : List.of(new OrderWish.Line(wanted.lastSku(), wanted.qty()));
    return reservations.place(
        new OrderWish(wanted.user(), lines, wanted.key(), null, false), SkuEntry.OPEN);
  }

  Future<CommandAnswer> confirm(OrderToken token) {
    return noted("confirm", token, orders.run(new Command.Confirm(token), any -> true));
  }

  Future<CommandAnswer> pay(OrderToken token, String payment) {
    return noted(
        "pay " + payment, token, orders.run(new Command.Confirm(token, payment), any -> true));
  }

  Future<CommandAnswer> extend(OrderToken token, int seconds) {
    long untilUs = world.scheduler().nowUs() + seconds * 1_000_000L;
    return noted("extend", token, orders.run(new Command.Extend(token, seconds), any -> true))
        .onSuccess(
            answer -> {
              if (answer instanceof CommandAnswer.Done) {
                world.told().extended(token, untilUs);
              }
            });
  }

  Future<CommandAnswer> refund(RefundPart part) {
    String command = part.step() + " " + part.refundId();
    return noted(command, part.token(), orders.run(part, any -> true));
  }

  Future<CommandAnswer> cancel(OrderToken token) {
    return noted("cancel", token, orders.run(new Command.Cancel(token, Reason.BUYER), any -> true));
  }

  Future<CommandAnswer> refund(OrderToken token, boolean restock) {
    return noted("refund", token, orders.run(new Command.Refund(token, restock), any -> true));
  }

  private Future<CommandAnswer> noted(
      String command, OrderToken token, Future<CommandAnswer> answer) {
    long askedUs = world.scheduler().nowUs();
    return answer.onSuccess(
        outcome -> {
          world.say(() -> node + " tells about " + command + " of " + token + ": " + outcome);
          world.told().commanded(command, token, outcome, askedUs, world);
        });
  }

  Future<OrderAnswer> find(OrderToken token, Duration wait) {
    long askedUs = world.scheduler().nowUs();
    return orders
        .findChanged(token, wait, any -> true, Future.future(never -> {}))
        .onSuccess(
            answer -> {
              world.say(() -> node + " shows " + token + ": " + answer);
              world.told().shown(token, answer, askedUs, world);
            });
  }
}
