package io.sluice;

import io.sluice.admin.AdminVerticle;
import io.sluice.admin.Partitions;
import io.sluice.admin.page.HeardEvents;
import io.sluice.admin.page.LiveFrames;
import io.sluice.admin.report.ReportReader;
import io.sluice.admission.AdmissionLimits;
import io.sluice.admission.BannedBuyers;
import io.sluice.admission.blacklist.BlacklistKeeper;
import io.sluice.async.LoopContext;
import io.sluice.config.Config;
import io.sluice.http.CallLimits;
import io.sluice.http.OrderCalls;
import io.sluice.http.OrderRoutes;
import io.sluice.http.Routes;
import io.sluice.http.SaleRoutes;
import io.sluice.http.SkuRoutes;
import io.sluice.http.Tickets;
import io.sluice.jwt.JwtVerifier;
import io.sluice.ledger.Blacklist;
import io.sluice.ledger.Instances;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Levels;
import io.sluice.ledger.OrderStories;
import io.sluice.ledger.SaleHistory;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.mysql.MySqlBlacklist;
import io.sluice.ledger.mysql.MySqlInstances;
import io.sluice.ledger.mysql.MySqlLevels;
import io.sluice.ledger.mysql.MySqlOrderStories;
import io.sluice.ledger.mysql.MySqlSaleHistory;
import io.sluice.ledger.mysql.MySqlSkuLedger;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.metrics.Meters;
import io.sluice.metrics.OwnerMeters;
import io.sluice.model.OrderTokens;
import io.sluice.owner.OwnerFactory;
import io.sluice.owner.OwnerSupervisor;
import io.sluice.owner.booking.BookingThrottle;
import io.sluice.reservation.LoopStores;
import io.sluice.reservation.grant.Admission;
import io.sluice.reservation.grant.Backlog;
import io.sluice.reservation.grant.Borrowing;
import io.sluice.reservation.grant.CartSales;
import io.sluice.reservation.grant.DirectBudget;
import io.sluice.reservation.grant.GrantRouter;
import io.sluice.reservation.grant.Reservations;
import io.sluice.reservation.order.LedgerClock;
import io.sluice.reservation.order.OrderCache;
import io.sluice.reservation.order.Orders;
import io.sluice.reservation.sku.SaleLevels;
import io.sluice.reservation.sku.SkuCatalog;
import io.sluice.reservation.sku.SkuLevels;
import io.sluice.stock.StockConnection;
import io.sluice.tracing.Traces;
import io.sluice.web.caller.Callers;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Assembles the parts of an instance, one set per event loop. */
final class Assembly {
  private final Vertx vertx;
  private final Config config;
  private final Meters meters;
  private final Traces traces;
  private final Connections connections;
  private final @Nullable JwtVerifier jwtVerifier;
  private final Ledger ledger;
  private final SkuLedger skuLedger;
  private final Ledger buyersLedger;
  private final SkuLedger buyersSkuLedger;
  private final SaleLedger sales;
  private final OrderCache orderCache;
  private final OrderTokens tokens;
  private final AdmissionLimits limits;
  private final BlacklistKeeper blacklist;
  private final HeardEvents heard;
  private final Levels levels;
  private final SaleCounting counting;
  private final Backlog backlog;
  private final GrantRouter routeChoice;
  private final LoopStocks stocks;
  private final OwnerWake wake = new OwnerWake();

  Assembly(
      Vertx vertx,
      Config config,
      Meters meters,
      Tracing tracing,
      Connections connections,
      @Nullable JwtVerifier jwtVerifier) {
    this.vertx = vertx;
    this.config = config;
    this.meters = meters;
    this.traces = tracing.traces();
    this.connections = connections;
    this.jwtVerifier = jwtVerifier;
    this.ledger = connections.ledger();
    this.skuLedger = connections.skuLedger();
    this.buyersLedger = connections.buyersLedger();
    this.buyersSkuLedger = connections.buyersSkuLedger();
    this.sales = connections.saleLedger();
    this.orderCache = newOrderCache(connections.partitions(), buyersLedger);
    this.tokens = new OrderTokens(connections.tokenSecret());
    this.limits =
        new AdmissionLimits(
            config.admission(),
            config.auth().trustedProxies(),
            new BannedBuyers(System::nanoTime),
            System::nanoTime,
            meters);
    this.blacklist = newBlacklist();
    this.heard = new HeardEvents(connections.partitions());
    this.levels = connections.onLookups(Levels.class, MySqlLevels::new);
    this.counting = new SaleCounting(vertx, connections);
    this.stocks = new LoopStocks(vertx, connections::newStock);
    this.backlog = newBacklog();
    this.routeChoice = routeChoice();
  }

  private static OrderCache newOrderCache(int partitions, Ledger ledger) {
    LedgerClock clock = new LedgerClock(ledger::nowMs, System::nanoTime);
    return new OrderCache(
        partitions,
        event -> OutboxPayload.order(event.payload()),
        System::nanoTime,
        clock::isYounger);
  }

  private BlacklistKeeper newBlacklist() {
    Context home = vertx.getOrCreateContext();
    return new BlacklistKeeper(
        connections.onLookups(Blacklist.class, MySqlBlacklist::new),
        connections.events(),
        connections.partitions(),
        limits,
        new Blacklist.Terms(
            Duration.ofSeconds(config.admission().banS()),
            Duration.ofSeconds(config.admission().secondLookS())),
        task -> home.runOnContext(now -> task.run()),
        System::nanoTime,
        meters);
  }

  private Backlog newBacklog() {
    return new Backlog(
        connections.orderLog(),
        buyersLedger,
        connections.partitions(),
        config.kafka().lagLimit(),
        System::nanoTime,
        meters);
  }

  private GrantRouter routeChoice() {
    return new GrantRouter(
        connections.orderLog(),
        backlog,
        new DirectBudget(config.reservation().directPerS(), System::nanoTime),
        config.kafka().lagAction().equals("direct"),
        meters);
  }

  BlacklistKeeper blacklist() {
    return blacklist;
  }

  HeardEvents heard() {
    return heard;
  }

  OrderCache orderCache() {
    return orderCache;
  }

  OwnerSupervisor owners() {
    OwnerFactory factory =
        new OwnerFactory(
            ledger,
            connections.directLedger(),
            connections::sameLog,
            connections::newStock,
            connections.orderLog(),
            connections.events(),
            new BookingThrottle(System::nanoTime, backlog::isStampede),
            config.reservation(),
            config.sale(),
            new OwnerMeters(meters.registry(), connections.partitions(), InstantSource.system()),
            traces);
    return wake.of(
        new OwnerSupervisor(
            connections::newConsumer,
            factory,
            connections::renewPresence,
            config.reservation(),
            Duration.ofMillis(config.reconcile().intervalMs()),
            System::nanoTime));
  }

  /** The connections to Redis of all event loops that grant. */
  LoopStocks stocks() {
    return stocks;
  }

  /** The routes of the public port, for the calling event loop. */
  Future<Routes> routes() {
    LoopContext loop = stocks.loop();
    StockConnection stock = stocks.started();
    LoopStores parts = connections.stores(stock, buyersLedger, buyersSkuLedger);
    SkuCatalog catalog = new SkuCatalog(buyersSkuLedger, System::nanoTime, jwtVerifier != null);
    Orders orders = new Orders(parts, loop, catalog, orderCache, levels, config.reservation());
    Reservations reservations =
        new Reservations(
            parts,
            loop,
            catalog,
            tokens,
            orders,
            new Borrowing(buyersSkuLedger, loop, levels, wake),
            config.reservation(),
            new Admission(config.http().queueMax(), config.admission().lastFactor(), routeChoice),
            new CartSales(sales::sale, levels, loop),
            levels,
            counting.tallies(),
            meters,
            traces);
    SkuLevels levels = new SkuLevels(parts, loop, catalog);
    CallLimits callLimits = new CallLimits(limits);
    Callers callers =
        new Callers(config.auth(), config.http().host(), jwtVerifier, callLimits.senders());
    return Future.succeededFuture(
        new Routes(
            new OrderRoutes(
                callers,
                callLimits,
                new Tickets(jwtVerifier, config.auth().issuer()),
                new OrderCalls.OfLoop(reservations, orders),
                meters),
            new SkuRoutes(callLimits, levels::level),
            new SaleRoutes(callLimits, new SaleLevels(sales, levels::level, loop)::level)));
  }

  /** The backends of the management port, for its event loop. */
  Future<AdminVerticle.Backends> operators() {
    StockConnection stock = stocks.started();
    SkuLedger lookups =
        connections.onLookups(
            SkuLedger.class, database -> new MySqlSkuLedger(database, connections.partitions()));
    return Future.succeededFuture(
        new AdminVerticle.Backends(
            skuLedger,
            sales,
            stock,
            new Partitions(
                connections.partitions(),
                ledger,
                connections.orderLog()::beginOffset,
                connections.orderLog()::endOffset),
            blacklist,
            connections.hasLog() ? null : connections.directLedger(),
            connections.onLookups(OrderStories.class, MySqlOrderStories::new),
            new ReportReader(
                sales,
                lookups,
                connections.onLookups(SaleHistory.class, MySqlSaleHistory::new),
                counting.ledger()),
            new LiveFrames.Sources(
                connections.presence().id(),
                config.kafka().lagLimit(),
                config.http().connectionsMax(),
                lookups,
                sales,
                connections.onLookups(Instances.class, MySqlInstances::new),
                stock,
                stock::memory,
                heard),
            InstantSource.system()));
  }

  /** The clock comparison; may be called on any context. */
  ClockWatch clocks() {
    Context context = vertx.getOrCreateContext();
    StockConnection stock = stocks.started();
    return new ClockWatch(
        ledger::nowMs,
        () -> Future.future(answer -> context.runOnContext(v -> stock.clocks().onComplete(answer))),
        InstantSource.system()::millis,
        System::nanoTime,
        meters);
  }

  /** Writes what was counted, and closes the connections to Redis of the two ports. */
  Future<Void> close() {
    return Future.join(counting.close(), stocks.close()).mapEmpty();
  }
}
