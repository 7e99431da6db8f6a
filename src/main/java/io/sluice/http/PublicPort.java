package io.sluice.http;

import io.sluice.async.AsyncLoop;
import io.sluice.async.ContextDispatcher;
import io.sluice.async.TimeLimit;
import io.sluice.config.AuthConfig;
import io.sluice.config.Config.HttpConfig;
import io.sluice.config.TlsFiles;
import io.sluice.metrics.Meters;
import io.sluice.metrics.ProcessMeters;
import io.sluice.metrics.ProcessMeters.LoopLag;
import io.sluice.web.Endpoint;
import io.sluice.web.InFlight;
import io.sluice.web.InFlight.PollBudget;
import io.sluice.web.OpenConnections;
import io.sluice.web.OverloadGate;
import io.sluice.web.PortTls;
import io.sluice.web.Problem;
import io.sluice.web.RequestPipeline;
import io.sluice.web.RequestTraces;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The public port, on all event loops that serve it. */
public final class PublicPort {
  private final List<HttpVerticle> verticles = new CopyOnWriteArrayList<>();

  private final PortTls tls;

  private PublicPort(PortTls tls) {
    this.tls = tls;
  }

  /**
   * Opens the port, which answers 503 to everything until {@link #serve}. Fails if the port is in
   * use, or its certificate cannot be served.
   */
  public static Future<PublicPort> open(
      Vertx vertx, HttpConfig config, AuthConfig auth, Meters meters, RequestTraces traces) {
    return PortTls.open(vertx, config.tls(), TlsFiles.Keys.of("http"))
        .onSuccess(tls -> tls.measure(meters.connections(), "public"))
        .compose(tls -> open(vertx, config, auth, tls, meters, traces));
  }

  private static Future<PublicPort> open(
      Vertx vertx,
      HttpConfig config,
      AuthConfig auth,
      PortTls tls,
      Meters meters,
      RequestTraces traces) {
    PublicPort port = new PublicPort(tls);
    int loops =
        config.instances() > 0 ? config.instances() : Runtime.getRuntime().availableProcessors();
    OpenConnections.Limits connections =
        new OpenConnections.Limits(
            config.connectionsMax(),
            config.bodyTimeoutS(),
            config.connectionsPerAddress(),
            auth.trustedProxies());
    PollBudget polls = new PollBudget(config.pollsMax());
    meters.connections().open(connections::count, polls::count);
    return AsyncLoop.forEach(
            IntStream.range(0, loops).boxed().toList(),
            loop ->
                port.deploy(
                    vertx, new HttpVerticle(config, tls, connections, polls, meters, traces)))
        .onSuccess(open -> tls.watch())
        .map(port);
  }

  private Future<Void> deploy(Vertx vertx, HttpVerticle verticle) {
    return vertx.deployVerticle(verticle).onSuccess(deployed -> verticles.add(verticle)).mapEmpty();
  }

  /** The port that it listens on: all event loops share that of the first one. */
  public int port() {
    return verticles.get(0).server().actualPort();
  }

  /**
   * Serves from now on. After a failure it may be called again: event loops that serve already are
   * not affected.
   *
   * @param assemble called once on each event loop
   */
  public Future<Void> serve(Supplier<Future<Routes>> assemble) {
    return Future.join(
            verticles.stream()
                .filter(verticle -> !verticle.isServing())
                .map(verticle -> verticle.serve(assemble))
                .toList())
        .mapEmpty();
  }

  /**
   * Accepts nothing new; completes when all requests in flight are answered, or after {@code
   * limit}. The port is closed then.
   */
  public Future<Void> drain(Duration limit) {
    tls.close();
    return Future.join(verticles.stream().map(verticle -> verticle.drain(limit)).toList())
        .mapEmpty();
  }

  /**
   * One event loop that serves the public port. It listens from the start, and answers 503 until it
   * has its routes: their dependencies may be unavailable for hours.
   */
  private static final class HttpVerticle extends VerticleBase {
    /** For Vert.x: any free port, the same one for all that use this value. */
    private static final int ANY_FREE_SHARED = -1;

    /** How long callers with an open connection still get answers, instead of being cut off. */
    private static final int LINGER_MS = 300;

    private final HttpConfig config;
    private final OpenConnections.Limits connections;
    private final Meters meters;
    private final InFlight inFlight;
    private final RequestPipeline pipeline;
    private volatile @Nullable Serving serving;
    private final PortTls tls;
    private @Nullable HttpServer server;

    private record Serving(
        Handler<HttpServerRequest> placing, BooleanSupplier full, Router router) {}

    /**
     * @param connections of the port, and {@code tls} and {@code polls}: shared by its event loops
     */
    HttpVerticle(
        HttpConfig config,
        PortTls tls,
        OpenConnections.Limits connections,
        PollBudget polls,
        Meters meters,
        RequestTraces traces) {
      this.config = config;
      this.tls = tls;
      this.connections = connections;
      this.meters = meters;
      this.inFlight = new InFlight(config.queueMax(), meters);
      this.pipeline = new RequestPipeline(inFlight, polls, meters, traces);
    }

    @Override
    public Future<?> start() {
      LoopLag lag = ProcessMeters.loopLag(meters.registry(), System::nanoTime);
      vertx.setPeriodic(LoopLag.EVERY_MS, tick -> lag.tick());
      int port = config.port() == 0 ? ANY_FREE_SHARED : config.port();
      server =
          OpenConnections.server(
                  vertx,
                  OpenConnections.settings(config.host(), port, config.headerBytesMax()),
                  tls,
                  connections,
                  meters,
                  new OverloadGate(
                      OrderRoutes.ORDERS, this::isFull, inFlight::count, meters.answers("place")))
              .requestHandler(this::handle);
      return server.listen();
    }

    /** The server that it is one event loop of. The verticle must be deployed. */
    HttpServer server() {
      HttpServer listening = server;
      if (listening == null) {
        throw new IllegalStateException("Expected a deployed verticle, but it is not");
      }
      return listening;
    }

    /** Whether it has its routes. */
    boolean isServing() {
      return serving != null;
    }

    /**
     * Assembles the routes on its own event loop, to which their connections then belong, and
     * serves them.
     */
    Future<Void> serve(Supplier<Future<Routes>> assemble) {
      return ContextDispatcher.on(context, () -> assemble.get().onSuccess(this::serve).mapEmpty());
    }

    private void serve(Routes routes) {
      Router router = Router.router(vertx);
      pipeline.mount(router, routes.endpoints(pipeline));
      serving =
          new Serving(pipeline.handler(routes.orders().placing()), routes.orders()::isFull, router);
    }

    /** Whether a request for an order would be refused for want of room. */
    private boolean isFull() {
      Serving now = serving;
      return now != null
          && !inFlight.isDraining()
          && (inFlight.isFull() || now.full().getAsBoolean());
    }

    private void handle(HttpServerRequest request) {
      Serving now = serving;
      if (inFlight.isDraining()) {
        request.response().headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        pipeline.receive(request, "none").answer(Problem.DRAINING);
      } else if (now == null) {
        pipeline.receive(request, "none").answer(Problem.STARTING);
      } else if (HttpMethod.POST.equals(request.method())
          && OrderRoutes.ORDERS.equals(request.path())) {
        now.placing().handle(request);
      } else {
        now.router().handle(request);
      }
    }

    /**
     * Accepts nothing new (503, and the connection is closed), waits until requests in flight are
     * answered, but not longer than the limit, and then closes the port.
     */
    Future<Void> drain(Duration limit) {
      return ContextDispatcher.on(
          context,
          () ->
              TimeLimit.of(limit.toMillis(), inFlight.drain())
                  .otherwiseEmpty()
                  .compose(drained -> vertx.timer(LINGER_MS))
                  .compose(lingered -> server == null ? Future.succeededFuture() : server.close()));
    }
  }

  /** All routes of the public port on one event loop. */
  public record Routes(OrderRoutes orders, LevelRoutes levels) {

    /** All calls of the port. */
    List<Endpoint> endpoints(RequestPipeline pipeline) {
      List<Endpoint> endpoints = new ArrayList<>(orders.endpoints(pipeline));
      endpoints.addAll(levels.endpoints());
      return endpoints;
    }
  }
}
