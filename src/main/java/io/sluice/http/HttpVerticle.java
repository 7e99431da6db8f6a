package io.sluice.http;

import io.sluice.async.TimeLimit;
import io.sluice.config.Config.HttpConfig;
import io.sluice.metrics.Meters;
import io.sluice.metrics.ProcessMeters;
import io.sluice.metrics.ProcessMeters.LoopLag;
import io.sluice.web.Endpoint;
import io.sluice.web.InFlight;
import io.sluice.web.PollBudget;
import io.sluice.web.RequestPipeline;
import io.sluice.web.RequestTraces;
import io.sluice.web.connection.OpenConnections;
import io.sluice.web.connection.OverloadGate;
import io.sluice.web.connection.PortTls;
import io.sluice.web.connection.ServerSettings;
import io.sluice.web.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One event loop that serves the public port. It listens from the start, and answers 503 until it
 * has its routes: their dependencies may be unavailable for hours.
 */
public final class HttpVerticle extends VerticleBase {
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

  private record Serving(Endpoint placing, BooleanSupplier full, Router router) {}

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
                ServerSettings.options(config.host(), port, config.headerBytesMax()),
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
   * Assembles the routes on its own event loop, to which their connections then belong, and serves
   * them.
   */
  Future<Void> serve(Supplier<Future<Routes>> assemble) {
    return onLoop(() -> assemble.get().onSuccess(this::serve).mapEmpty());
  }

  private void serve(Routes routes) {
    Router router = Router.router(vertx);
    pipeline.mount(router, routes.endpoints(pipeline));
    serving = new Serving(routes.orders().placing(), routes.orders()::isFull, router);
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
      pipeline.serve(pipeline.receive(request, now.placing().name()), now.placing());
    } else {
      now.router().handle(request);
    }
  }

  /**
   * Accepts nothing new (503, and the connection is closed), waits until requests in flight are
   * answered, but not longer than the limit, and then closes the port.
   */
  Future<Void> drain(Duration limit) {
    return onLoop(
        () ->
            TimeLimit.of(limit.toMillis(), inFlight.drain())
                .otherwiseEmpty()
                .compose(drained -> vertx.timer(LINGER_MS))
                .compose(lingered -> server == null ? Future.succeededFuture() : server.close()));
  }

  private Future<Void> onLoop(Supplier<Future<Void>> task) {
    return Future.future(
        promise ->
            context.runOnContext(
                run ->
                    Future.<Void>succeededFuture()
                        .compose(started -> task.get())
                        .onComplete(promise)));
  }
}
