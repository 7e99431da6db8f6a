package io.sluice.admin;

import io.sluice.admin.page.LiveFeed;
import io.sluice.admin.page.LiveFrames;
import io.sluice.admin.page.PageRoutes;
import io.sluice.admin.report.ReportReader;
import io.sluice.admin.report.ReportRoute;
import io.sluice.admission.blacklist.BlacklistKeeper;
import io.sluice.async.Poll;
import io.sluice.config.Config;
import io.sluice.config.OperatorToken.Role;
import io.sluice.config.TlsFiles;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.OrderStories;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.metrics.Meters;
import io.sluice.stock.Stock;
import io.sluice.tracing.Traces;
import io.sluice.web.Contract;
import io.sluice.web.Endpoint;
import io.sluice.web.InFlight;
import io.sluice.web.PollBudget;
import io.sluice.web.RequestPipeline;
import io.sluice.web.RequestTraces;
import io.sluice.web.connection.AddressCounts;
import io.sluice.web.connection.OpenConnections;
import io.sluice.web.connection.PortTls;
import io.sluice.web.connection.ServerSettings;
import io.sluice.web.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
   * @param events if there is no order log; else null
   */
  public record Backends(
      SkuLedger ledger,
      SaleLedger sales,
      Stock stock,
      Partitions partitions,
      BlacklistKeeper blacklist,
      @Nullable DirectLedger events,
      OrderStories stories,
      ReportReader report,
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
            new PollBudget(0),
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
                ServerSettings.options(
                    config.admin().host(), config.admin().port(), config.http().headerBytesMax()),
                tls,
                OpenConnections.Limits.of(
                    CONNECTIONS_MAX, config.http().bodyTimeoutS(), new AddressCounts(0, List.of())),
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
    return Future.future(
        promise ->
            context.runOnContext(
                run ->
                    Future.<Void>succeededFuture()
                        .compose(started -> assemble.get())
                        .map(this::serve)
                        .onComplete(promise)));
  }

  private @Nullable Void serve(Backends backends) {
    frames.serve(backends.live());
    routes = router(endpoints(backends));
    SaleFollower follower =
        new SaleFollower(backends.sales(), Duration.ofSeconds(config.sale().endAfterS()));
    meters.saleEnds(follower::unfinished, follower::standsS);
    // Ends with the verticle, whose timer it is.
    vertx.setPeriodic(SaleFollower.EVERY.toMillis(), tick -> follower.tick());
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
    List<Endpoint> endpoints = new ArrayList<>();
    endpoints.addAll(
        new StockAdminRoutes(
                backends.ledger(),
                backends.stock(),
                poll,
                backends.clock(),
                config.reservation().paymentWindowS(),
                config.auth().hasTokenKeys(),
                operators)
            .endpoints());
    endpoints.addAll(ofSales(backends, poll));
    endpoints.addAll(
        new PartitionAdminRoutes(
                backends.partitions(),
                backends.ledger(),
                new PartitionOperations(backends.partitions(), backends.ledger(), poll),
                operators)
            .endpoints());
    endpoints.addAll(buyers(backends, poll));
    endpoints.add(new EventRoutes(backends.events(), operators.reading(Role.SUPPORT)).endpoint());
    endpoints.addAll(
        new OrderAdminRoutes(
                backends.stories(),
                operators.reading(Role.SUPPORT),
                new TraceJson(config.tracing(), traces))
            .endpoints());
    return endpoints;
  }

  private List<Endpoint> ofSales(Backends backends, Poll poll) {
    SaleAdminRoutes sales =
        new SaleAdminRoutes(
            backends.sales(),
            backends.ledger(),
            backends.stock(),
            poll,
            backends.clock(),
            config.reservation().paymentWindowS(),
            Duration.ofSeconds(config.sale().endAfterS()),
            config.auth().hasTokenKeys(),
            operators);
    List<Endpoint> endpoints = new ArrayList<>(sales.endpoints());
    endpoints.add(new ReportRoute(backends.report(), operators).endpoint());
    return endpoints;
  }

  private List<Endpoint> buyers(Backends backends, Poll poll) {
    List<Endpoint> endpoints = new ArrayList<>();
    endpoints.addAll(
        new BlacklistRoutes(backends.blacklist(), config.admission().banS(), operators)
            .endpoints());
    endpoints.add(
        new ForgetRoutes(backends.ledger(), poll, new Pseudonyms(), operators).endpoint());
    return endpoints;
  }

  /** Those that are served from the start. */
  private List<Endpoint> early() {
    List<Endpoint> all = new ArrayList<>(new HealthRoutes(readiness).endpoints());
    all.add(new MetricsRoute(scrape, operators.reading(Role.METRICS)).endpoint());
    all.add(Contract.MANAGEMENT.endpoint(operators));
    LiveFeed opened = Objects.requireNonNull(feed);
    all.addAll(new PageRoutes(opened, operators, operators::role).endpoints());
    return all;
  }

  private Router router(List<Endpoint> endpoints) {
    Router fresh = Router.router(vertx);
    pipeline.mount(fresh, endpoints);
    return fresh;
  }
}
