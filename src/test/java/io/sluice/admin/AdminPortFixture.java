package io.sluice.admin;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.admin.page.HeardEvents;
import io.sluice.admin.page.LiveFeed;
import io.sluice.admin.page.LiveFrames;
import io.sluice.admin.report.SaleReports;
import io.sluice.admission.AdmissionLimits;
import io.sluice.admission.BannedBuyers;
import io.sluice.admission.BlacklistKeeper;
import io.sluice.async.Poll;
import io.sluice.config.AdminConfig;
import io.sluice.config.Config;
import io.sluice.config.Config.AdmissionConfig;
import io.sluice.config.Config.HttpConfig;
import io.sluice.config.Config.TracingConfig;
import io.sluice.config.TlsFiles;
import io.sluice.feed.EventWaits;
import io.sluice.feed.NumberedPages;
import io.sluice.ledger.Blacklist;
import io.sluice.ledger.History;
import io.sluice.ledger.InMemoryBlacklist;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.InMemoryWebhooks;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.Webhooks;
import io.sluice.metrics.Meters;
import io.sluice.metrics.ProcessMeters.MeterHelp;
import io.sluice.model.Command;
import io.sluice.monitor.Readiness;
import io.sluice.openapi.ContractAnswers;
import io.sluice.openapi.ContractFile;
import io.sluice.order.CommandAnswer;
import io.sluice.order.OrderCalls;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.stock.StockConnection.Memory;
import io.sluice.testkit.Ports;
import io.sluice.tracing.Traces;
import io.sluice.web.Contract;
import io.sluice.web.Endpoint;
import io.sluice.web.HttpProbe;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The management port on a free port of this host, with fakes behind it. */
public final class AdminPortFixture implements AutoCloseable {
  public static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  static final int PARTITIONS = 4;

  private static final ContractAnswers CONTRACT =
      new ContractAnswers(ContractFile.of(Contract.MANAGEMENT));

  final Vertx vertx = Vertx.vertx();
  final Readiness readiness = new Readiness(List.of("mysql", "redis"));
  public final FakeLedger ledger = new FakeLedger();
  public final FakeSales sales = new FakeSales();
  final InMemoryLedger owners = new InMemoryLedger(PARTITIONS, () -> NOW);
  final InMemoryBlacklist bans = new InMemoryBlacklist(NOW::toEpochMilli);
  public final FakeStock stock = new FakeStock();
  final InMemoryWebhooks webhooks = new InMemoryWebhooks(NOW::toEpochMilli);
  final FakeStories stories = new FakeStories();
  public final HeardEvents heard = new HeardEvents(PARTITIONS);
  final FakeHistory history = new FakeHistory();
  final List<Command> commands = new CopyOnWriteArrayList<>();
  volatile CommandAnswer commandAnswer = new CommandAnswer.Unknown();

  /** Notes what is run. */
  private final OrderCalls orders =
      Ports.answering(
          OrderCalls.class,
          (self, method, arguments) -> {
            commands.add((Command) arguments[0]);
            return Future.succeededFuture(commandAnswer);
          });

  /** Null if their topic has too many partitions. */
  @Nullable EventPages events = new NumberedPages(owners.direct());

  public final HttpProbe probe;
  Future<Long> logBegin = Future.succeededFuture(0L);
  volatile Future<Long> logEnd = Future.succeededFuture(0L);

  private final AdminVerticle verticle;

  public AdminPortFixture(String token) {
    this(new AdminConfig("127.0.0.1", 0, token, List.of(), TlsFiles.NONE));
  }

  /** A port that knows of traces. */
  static AdminPortFixture traced(AdminConfig admin, TracingConfig tracing, Traces traces) {
    return new AdminPortFixture(admin, Config.defaults().http(), tracing, traces);
  }

  AdminPortFixture(AdminConfig admin) {
    this(admin, Config.defaults().http());
  }

  AdminPortFixture(AdminConfig admin, HttpConfig http) {
    this(admin, http, Config.defaults().tracing(), Traces.OFF);
  }

  AdminPortFixture(AdminConfig admin, HttpConfig http, TracingConfig tracing, Traces traces) {
    PrometheusMeterRegistry registry = MeterHelp.registry();
    Config defaults = Config.defaults();
    Config config =
        new Config(
            http,
            admin,
            defaults.auth(),
            defaults.admission(),
            defaults.redis(),
            defaults.kafka(),
            defaults.mysql(),
            defaults.stores(),
            defaults.reservation(),
            defaults.sale(),
            defaults.reconcile(),
            defaults.webhooks(),
            tracing,
            defaults.log());
    this.verticle =
        new AdminVerticle(config, readiness, new Meters(registry), registry::scrape, traces);
    HttpProbe.await(vertx.deployVerticle(verticle));
    this.probe = new HttpProbe(verticle.port(), CONTRACT::check);
  }

  public AdminPortFixture serving() {
    return serving(
        backends(ledger, sales, owners, events, bans, webhooks, stories, history, orders));
  }

  /** Serves with stores that fail each call for this reason. */
  AdminPortFixture failing(Throwable cause) {
    return serving(
        backends(
            failing(SkuLedger.class, cause),
            failing(SaleLedger.class, cause),
            failing(Ledger.class, cause),
            failing(EventPages.class, cause),
            failing(Blacklist.class, cause),
            failing(Webhooks.class, cause),
            failing(History.class, cause),
            failing(History.class, cause),
            failing(OrderCalls.class, cause)));
  }

  private AdminPortFixture serving(AdminVerticle.Backends backends) {
    HttpProbe.await(verticle.serve(() -> Future.succeededFuture(backends)));
    return this;
  }

  /** The calls of the port. */
  List<Endpoint> endpoints() {
    return verticle.endpoints(
        backends(ledger, sales, owners, events, bans, webhooks, stories, history, orders));
  }

  private AdminVerticle.Backends backends(
      SkuLedger skus,
      SaleLedger sold,
      Ledger fences,
      @Nullable EventPages kept,
      Blacklist banned,
      Webhooks targets,
      History told,
      History happened,
      OrderCalls run) {
    return new AdminVerticle.Backends(
        skus,
        sold,
        partition -> stock.store(),
        new PartitionAdminRoutes.Partitions(
            PARTITIONS, fences, partition -> logBegin, partition -> logEnd),
        blacklist(banned),
        kept == null ? null : new EventWaits(kept, true, Poll.onTimers(vertx)),
        targets,
        told,
        run,
        new SaleReports(sold, skus, happened),
        new LiveFrames.Sources(
            "instance-1",
            1_000,
            100,
            skus,
            sold,
            () -> Future.succeededFuture(List.of("instance-1")),
            partition -> stock.store(),
            () -> Future.succeededFuture(new Memory(1_000_000, 0)),
            heard),
        () -> NOW);
  }

  private static <T> T failing(Class<T> port, Throwable cause) {
    return Ports.answering(port, (self, method, arguments) -> Future.failedFuture(cause));
  }

  private static BlacklistKeeper blacklist(Blacklist bans) {
    AdmissionConfig admission = Config.defaults().admission();
    Meters meters = new Meters(new SimpleMeterRegistry());
    return new BlacklistKeeper(
        bans,
        new InMemoryEvents(),
        PARTITIONS,
        new AdmissionLimits(
            admission, List.of(), new BannedBuyers(System::nanoTime), System::nanoTime, meters),
        new Blacklist.Terms(
            Duration.ofSeconds(admission.banS()), Duration.ofSeconds(admission.secondLookS())),
        Runnable::run,
        System::nanoTime,
        meters);
  }

  /** Its address. */
  String url() {
    return "http://127.0.0.1:" + verticle.port();
  }

  /** Fills the places of those who watch. */
  void watchedByAsManyAsMay(String... headers) {
    for (int i = 0; i < LiveFeed.VIEWERS_MAX; i++) {
      probe.occupy("GET", "/admin/live", headers);
    }
    String viewers = "sluice_page_viewers " + (double) LiveFeed.VIEWERS_MAX;
    await().until(() -> probe.get("/metrics", headers).text().contains(viewers));
  }

  /** A connection on which nothing is said. */
  Socket connection() throws IOException {
    return new Socket("127.0.0.1", verticle.port());
  }

  @Override
  public void close() {
    HttpProbe.await(vertx.close());
  }
}
