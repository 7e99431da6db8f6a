package io.sluice.admin;

import io.sluice.admin.PartitionAdminRoutes.Partitions;
import io.sluice.admin.page.LiveFeed;
import io.sluice.admin.page.LiveFrames;
import io.sluice.admin.page.PageFile;
import io.sluice.admin.report.SaleReports;
import io.sluice.admission.BlacklistKeeper;
import io.sluice.async.ContextDispatcher;
import io.sluice.async.Poll;
import io.sluice.config.Config;
import io.sluice.config.OperatorToken.Role;
import io.sluice.config.TlsFiles;
import io.sluice.feed.EventWaits;
import io.sluice.ledger.History;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.Webhooks;
import io.sluice.metrics.Meters;
import io.sluice.monitor.Readiness;
import io.sluice.order.OrderCalls;
import io.sluice.stock.Stock;
import io.sluice.tracing.Traces;
import io.sluice.web.Contract;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.InFlight;
import io.sluice.web.InFlight.PollBudget;
import io.sluice.web.OpenConnections;
import io.sluice.web.PortTls;
import io.sluice.web.Problem;
import io.sluice.web.ProblemPages;
import io.sluice.web.RequestPipeline;
import io.sluice.web.RequestTraces;
import io.sluice.webhook.AddressGuard;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The management port. It listens before anything else: health and metrics at once, the rest when
 * the stores are connected.
 */
public final class AdminVerticle extends VerticleBase {
  /** Operators are few, but their requests may wait for owners. */
  private static final int REQUESTS_MAX = 100;

  private static final int CONNECTIONS_MAX = 1_000;
  private static final Buffer ALIVE = new JsonObject().put("alive", true).toBuffer();
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final Config config;
  private final Readiness readiness;
  private final Supplier<String> scrape;
  private final Meters meters;
  private final Operators operators;
  private final RequestPipeline pipeline;
  private final Traces traces;
  private final OperatorLog operatorLog = new OperatorLog(InstantSource.system());
  private final LiveFrames frames;
  private @Nullable LiveFeed feed;
  private volatile Handler<HttpServerRequest> routes;
  private @Nullable HttpServer server;

  /**
   * The services behind the operators' calls.
   *
   * @param stock may be called from this verticle's event loop
   * @param events null if their topic has too many partitions
   * @param orders may be called from this verticle's event loop
   */
  public record Backends(
      SkuLedger ledger,
      SaleLedger sales,
      Stock stock,
      Partitions partitions,
      BlacklistKeeper blacklist,
      @Nullable EventWaits events,
      Webhooks webhooks,
      History stories,
      OrderCalls orders,
      SaleReports reports,
      LiveFrames.Sources live,
      InstantSource clock) {}

  /**
   * @param scrape the metrics in the text format of Prometheus
   */
  public AdminVerticle(
      Config config, Readiness readiness, Meters meters, Supplier<String> scrape, Traces traces) {
    this.config = config;
    this.readiness = readiness;
    this.scrape = scrape;
    this.meters = meters;
    this.operators = new Operators(config.admin(), config.auth().userHeader(), operatorLog);
    this.frames =
        new LiveFrames(
            meters.registry(),
            readiness::json,
            operatorLog::last,
            InstantSource.system(),
            System::nanoTime);
    this.pipeline =
        new RequestPipeline(
            new InFlight(REQUESTS_MAX, meters),
            new PollBudget(EventAdminRoutes.WAITS_MAX),
            meters,
            new RequestTraces(traces, address -> false));
    this.traces = traces;
    this.routes = request -> pipeline.receive(request, "none").answer(Problem.STARTING);
  }

  @Override
  public Future<?> start() {
    feed = new LiveFeed(vertx, frames, System::nanoTime, meters);
    Router early = router(early());
    early
        .route("/admin/*")
        .handler(
            context ->
                pipeline.refuse(
                    pipeline.receive(context.request(), "none"), operators, Problem.STARTING));
    routes = early;
    return PortTls.open(vertx, config.admin().tls(), TlsFiles.Keys.of("admin"))
        .onSuccess(tls -> tls.measure(meters.connections(), "management"))
        .compose(this::listen);
  }

  private Future<?> listen(PortTls tls) {
    HttpServer opened =
        OpenConnections.server(
                vertx,
                OpenConnections.settings(
                    config.admin().host(), config.admin().port(), config.http().headerBytesMax()),
                tls,
                new OpenConnections.Limits(
                    CONNECTIONS_MAX, config.http().bodyTimeoutS(), 0, List.of()),
                meters,
                null)
            .requestHandler(request -> routes.handle(request));
    server = opened;
    // Ends with the verticle, whose timer it is.
    return opened.listen().onSuccess(listening -> tls.watch());
  }

  /** The port that it listens on. The verticle must be deployed. */
  public int port() {
    HttpServer listening = server;
    if (listening == null) {
      throw new IllegalStateException("Expected a deployed verticle, but it is not");
    }
    return listening.actualPort();
  }

  /**
   * Starts serving operators.
   *
   * @param assemble called on this verticle's event loop, which the connections that it opens then
   *     belong to
   */
  public Future<Void> serve(Supplier<Future<Backends>> assemble) {
    return ContextDispatcher.on(context, () -> assemble.get().map(this::serve));
  }

  private @Nullable Void serve(Backends backends) {
    frames.serve(backends.live());
    routes = router(endpoints(backends));
    StandingEnds standing = new StandingEnds(backends.sales());
    SaleFollower follower = new SaleFollower(backends.sales(), standing, endAfter());
    meters.saleEnds(standing::unfinished, standing::standsS);
    // Ends with the verticle, whose timer it is.
    vertx.setPeriodic(SaleFollower.EVERY.toMillis(), tick -> follower.tick());
    OrderJobs jobs = new OrderJobs(backends.sales(), backends.stories(), backends.orders());
    vertx.setPeriodic(OrderJobs.EVERY.toMillis(), tick -> jobs.tick());
    return null;
  }

  /** All calls of this port once it serves operators. */
  List<Endpoint> endpoints(Backends backends) {
    List<Endpoint> all = early();
    all.addAll(operations(backends));
    return all;
  }

  private List<Endpoint> operations(Backends backends) {
    Poll poll = Poll.onTimers(vertx);
    BucketViews buckets = new BucketViews(backends.stock());
    Operations operations =
        new Operations(backends.ledger(), backends.sales(), buckets, poll, backends.clock());
    OperatorBodies bodies =
        new OperatorBodies(config.reservation().paymentWindowS(), config.auth().hasTokenKeys());
    List<Endpoint> all = new ArrayList<>();
    all.addAll(
        new SkuAdminRoutes(
                backends.ledger(), buckets, operations, bodies, backends.clock(), operators)
            .endpoints());
    all.addAll(
        new SaleAdminRoutes(
                backends.sales(), backends.ledger(), operations, bodies, endAfter(), operators)
            .endpoints());
    all.addAll(
        new JobAdminRoutes(backends.sales(), backends.ledger(), backends.orders(), operators)
            .endpoints());
    all.add(backends.reports().endpoint(operators));
    all.addAll(
        new PartitionAdminRoutes(backends.partitions(), backends.ledger(), operations, operators)
            .endpoints());
    all.addAll(
        new BuyerAdminRoutes(
                backends.blacklist(),
                Duration.ofSeconds(config.admission().banS()),
                backends.ledger(),
                poll,
                operators)
            .endpoints());
    all.addAll(
        new OrderAdminRoutes(
                backends.stories(),
                backends.ledger(),
                backends.orders(),
                config.tracing(),
                traces,
                operators.reading(Role.SUPPORT))
            .endpoints());
    all.addAll(
        new EventAdminRoutes(backends.events(), pipeline, operators.reading(Role.SUPPORT))
            .endpoints());
    all.addAll(
        new WebhookAdminRoutes(
                backends.webhooks(),
                backends.events(),
                AddressGuard.of(config),
                operators.reading(Role.SUPPORT))
            .endpoints());
    return all;
  }

  /** The time from a sale's closes_at to its end; zero if it does not end by itself. */
  private Duration endAfter() {
    return Duration.ofSeconds(config.sale().endAfterS());
  }

  /** Those that are served from the start. An orchestrator's probes have no token. */
  private List<Endpoint> early() {
    List<Endpoint> all = new ArrayList<>();
    all.add(probe("/livez", "livez", Guard.ANYBODY, exchange -> exchange.answer(200, ALIVE)));
    all.add(probe("/readyz", "readyz", Guard.ANYBODY, this::ready));
    all.add(probe("/metrics", "metrics", operators.reading(Role.METRICS), this::metrics));
    all.add(Contract.MANAGEMENT.endpoint(operators));
    all.add(Contract.MANAGEMENT.docs(operators));
    all.add(ProblemPages.endpoint(Guard.ANYBODY));
    all.addAll(PageFile.endpoints());
    all.add(Objects.requireNonNull(feed).endpoint(operators, operators::role));
    return all;
  }

  private static Endpoint probe(String path, String name, Guard guard, Consumer<Exchange> call) {
    return new Endpoint(HttpMethod.GET, path, name, guard, Input.ALWAYS, call);
  }

  private void ready(Exchange exchange) {
    exchange.answer(readiness.isReady() ? 200 : 503, readiness.json().toBuffer());
  }

  private void metrics(Exchange exchange) {
    exchange
        .request()
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, PROMETHEUS_TEXT)
        .end(scrape.get());
  }

  private Router router(List<Endpoint> endpoints) {
    Router fresh = Router.router(vertx);
    pipeline.mount(fresh, endpoints);
    return fresh;
  }
}
