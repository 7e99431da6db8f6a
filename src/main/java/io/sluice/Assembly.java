package io.sluice;

import io.sluice.admin.AdminVerticle;
import io.sluice.admin.PartitionAdminRoutes;
import io.sluice.admin.page.HeardEvents;
import io.sluice.admin.page.LiveFrames;
import io.sluice.admin.report.SaleReports;
import io.sluice.admission.AdmissionLimits;
import io.sluice.admission.BannedBuyers;
import io.sluice.admission.BlacklistKeeper;
import io.sluice.async.ContextDispatcher;
import io.sluice.async.LoopContext;
import io.sluice.async.Poll;
import io.sluice.async.RateLimit;
import io.sluice.auth.Callers;
import io.sluice.auth.JwtVerifier;
import io.sluice.auth.Tickets;
import io.sluice.config.Config;
import io.sluice.feed.EventWaits;
import io.sluice.grant.Backlog;
import io.sluice.grant.Borrowing;
import io.sluice.grant.GrantRouter;
import io.sluice.grant.Reservations;
import io.sluice.grant.SaleTallies;
import io.sluice.grant.TallyWriter;
import io.sluice.http.CallLimits;
import io.sluice.http.LevelRoutes;
import io.sluice.http.OrderRoutes;
import io.sluice.http.PublicPort.Routes;
import io.sluice.ledger.Blacklist;
import io.sluice.ledger.History;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.Webhooks;
import io.sluice.ledger.mysql.MySqlBlacklist;
import io.sluice.ledger.mysql.MySqlHistory;
import io.sluice.ledger.mysql.MySqlSkuLedger;
import io.sluice.ledger.mysql.MySqlWebhooks;
import io.sluice.metrics.Meters;
import io.sluice.metrics.OwnerMeters;
import io.sluice.metrics.ProcessMeters;
import io.sluice.model.OrderTokens;
import io.sluice.monitor.ClockWatch;
import io.sluice.order.BuyerOrders;
import io.sluice.order.LedgerClock;
import io.sluice.order.LoopStores;
import io.sluice.order.OrderCache;
import io.sluice.order.Orders;
import io.sluice.order.SaleLevels;
import io.sluice.order.SkuCatalog;
import io.sluice.order.SkuLevels;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPages;
import io.sluice.owner.BookingRounds;
import io.sluice.owner.LedgerAloneVerticle;
import io.sluice.owner.OutboxRelays;
import io.sluice.owner.OwnerFactory;
import io.sluice.owner.OwnerSupervisor;
import io.sluice.stock.StockConnection;
import io.sluice.tracing.Traces;
import io.sluice.webhook.AddressGuard;
import io.sluice.webhook.WebhookVerticle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
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
  private final @Nullable EventWaits eventWaits;
  private final Webhooks webhooks;
  private final History history;
  private final SaleTallies tallies = new SaleTallies();
  private final Supplier<Future<Void>> endCounting;
  private final Backlog backlog;
  private final GrantRouter routeChoice;
  private final LoopStocks stocks;

  /** Those of this instance, once there are any. */
  private volatile @Nullable OwnerSupervisor owners;

  Assembly(
      Vertx vertx,
      Config config,
      Meters meters,
      Traces traces,
      Connections connections,
      @Nullable JwtVerifier jwtVerifier) {
    this.vertx = vertx;
    this.config = config;
    this.meters = meters;
    this.traces = traces;
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
    this.eventWaits = eventWaits();
    this.webhooks = connections.onLookups(Webhooks.class, MySqlWebhooks::new);
    this.history = connections.onLookups(History.class, MySqlHistory::new);
    this.endCounting = countSales();
    this.stocks = new LoopStocks(vertx, connections::newStock);
    this.backlog = newBacklog();
    this.routeChoice = routeChoice();
  }

  private @Nullable EventWaits eventWaits() {
    EventPages pages = connections.eventPages();
    return pages == null ? null : new EventWaits(pages, connections.hasLog(), Poll.onTimers(vertx));
  }

  private static OrderCache newOrderCache(int partitions, Ledger ledger) {
    LedgerClock clock = new LedgerClock(ledger::nowMs, System::nanoTime);
    return new OrderCache(partitions, System::nanoTime, clock::isYounger);
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

  /**
   * Counts what happens in sales on this instance, and writes it until the result is called: then
   * writes what is left, if that is quick, after the last answer to a buyer.
   */
  private Supplier<Future<Void>> countSales() {
    Context home = vertx.getOrCreateContext();
    TallyWriter writer =
        new TallyWriter(history, tallies, connections.presence().id(), InstantSource.system());
    long timer =
        vertx.setPeriodic(
            TallyWriter.TICK.toMillis(), tick -> home.runOnContext(now -> writer.tick()));
    return () -> {
      vertx.cancelTimer(timer);
      return ContextDispatcher.on(home, writer::close);
    };
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
        new RateLimit(config.reservation().directPerS(), System::nanoTime),
        config.kafka().lagAction().equals("direct"),
        meters);
  }

  BlacklistKeeper blacklist() {
    return blacklist;
  }

  /** What the instance tells itself of events that it hears, except of orders. */
  void heard(int partition, Event event) {
    heard.heard(partition, event);
    if (eventWaits != null) {
      eventWaits.heard(partition, event);
    }
  }

  OrderCache orderCache() {
    return orderCache;
  }

  /** The background work: by owners or, if there is no order log, by their replacement. */
  Background background() {
    if (!connections.hasLog()) {
      return new Background(ledgerAlone(), () -> 0, () -> true);
    }
    OwnerSupervisor here = newOwners();
    owners = here;
    return new Background(here, here::owned, here::isSettled);
  }

  private LedgerAloneVerticle ledgerAlone() {
    return new LedgerAloneVerticle(
        ledger,
        connections.directLedger(),
        connections::renewPresence,
        config.reservation(),
        Duration.ofSeconds(config.sale().endAfterS()),
        Duration.ofMillis(config.reconcile().intervalMs()));
  }

  private OwnerSupervisor newOwners() {
    OwnerFactory factory =
        new OwnerFactory(
            ledger,
            connections.directLedger(),
            connections::sameLog,
            connections::newStock,
            connections.orderLog(),
            connections.events(),
            BookingRounds.on(vertx, ledger, config.mysql().writers(), backlog::mayBookLater),
            OutboxRelays.gathering(),
            backlog::isStampede,
            orderCache::committed,
            config.reservation(),
            config.sale(),
            new OwnerMeters(meters.registry(), connections.partitions(), InstantSource.system()),
            traces);
    return new OwnerSupervisor(
        connections::newConsumer,
        factory,
        connections::renewPresence,
        config.reservation(),
        Duration.ofMillis(config.reconcile().intervalMs()),
        System::nanoTime);
  }

  /** Sends events to targets; empty if their topic has more partitions than a cursor. */
  Optional<VerticleBase> webhookSender() {
    return Optional.ofNullable(eventWaits)
        .map(
            events ->
                new WebhookVerticle(
                    webhooks,
                    events,
                    AddressGuard.of(config),
                    config.webhooks().caFile(),
                    connections.presence().id(),
                    meters));
  }

  /** Tells the owners that requests were left for owners. */
  private void wakeOwners() {
    OwnerSupervisor here = owners;
    if (here != null) {
      here.asked();
    }
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
    Orders orders = new Orders(parts, loop, catalog, orderCache, config.reservation());
    Reservations reservations =
        new Reservations(
            parts,
            loop,
            catalog,
            tokens,
            orders,
            new Borrowing(buyersSkuLedger, loop, this::wakeOwners),
            config.reservation(),
            new Reservations.Admission(
                config.http().queueMax(), config.admission().lastFactor(), routeChoice, backlog),
            sales::sale,
            tallies,
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
                reservations,
                orders,
                new BuyerOrders(history, loop),
                meters),
            new LevelRoutes(
                callLimits, levels::level, new SaleLevels(sales, levels::level, loop)::level)));
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
            new PartitionAdminRoutes.Partitions(
                connections.partitions(),
                ledger,
                connections.orderLog()::beginOffset,
                connections.orderLog()::endOffset),
            blacklist,
            eventWaits,
            webhooks,
            history,
            new Orders(
                connections.stores(stock, ledger, skuLedger),
                stocks.loop(),
                new SkuCatalog(skuLedger, System::nanoTime, jwtVerifier != null),
                orderCache,
                config.reservation()),
            new SaleReports(sales, lookups, history),
            new LiveFrames.Sources(
                connections.presence().id(),
                config.kafka().lagLimit(),
                config.http().connectionsMax(),
                lookups,
                sales,
                connections::running,
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
        () -> ContextDispatcher.on(context, stock::clocks),
        InstantSource.system()::millis,
        System::nanoTime,
        (part, ms) -> ProcessMeters.clockSkew(meters.registry(), part, ms));
  }

  /**
   * Answers listeners that wait, writes what was counted, and closes the connections to Redis of
   * the two ports.
   */
  Future<Void> close() {
    if (eventWaits != null) {
      eventWaits.close();
    }
    return Future.join(endCounting.get(), stocks.close()).mapEmpty();
  }

  /** The connections to Redis that the event loops of the two ports have, one each. */
  static final class LoopStocks {
    private final Vertx vertx;
    private final Supplier<StockConnection> made;
    private final List<Started> all = new CopyOnWriteArrayList<>();

    /** A store and the context that it belongs to. */
    private record Started(StockConnection store, Context context) {
      Future<Void> close() {
        return ContextDispatcher.on(context, store::close);
      }
    }

    LoopStocks(Vertx vertx, Supplier<StockConnection> made) {
      this.vertx = vertx;
      this.made = made;
    }

    /**
     * One more, of the calling event loop. Connecting is retried by the store itself; until it
     * succeeds, calls fail at once.
     */
    StockConnection started() {
      StockConnection stock = made.get();
      all.add(new Started(stock, vertx.getOrCreateContext()));
      stock.start();
      return stock;
    }

    /** Whether every one is connected. */
    boolean areUp() {
      return all.stream().allMatch(started -> started.store().isUp());
    }

    /** The calls that some of them cannot make, in words; empty: none. */
    String outage() {
      return all.stream()
          .map(started -> started.store().outage())
          .filter(text -> !text.isEmpty())
          .findFirst()
          .orElse("");
    }

    Future<Void> close() {
      return Future.join(all.stream().map(Started::close).toList()).mapEmpty();
    }

    /** The calling event loop. */
    LoopContext loop() {
      return LoopContext.of(vertx, vertx.getOrCreateContext());
    }
  }

  /**
   * The background work: by owners or, if there is no order log, by their replacement.
   *
   * @param owned how many partitions are owned here
   * @param settled whether owners have taken over
   */
  record Background(VerticleBase verticle, IntSupplier owned, BooleanSupplier settled) {}
}
