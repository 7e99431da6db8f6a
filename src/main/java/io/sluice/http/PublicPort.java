package io.sluice.http;

import io.sluice.async.AsyncLoop;
import io.sluice.config.AuthConfig;
import io.sluice.config.Config.HttpConfig;
import io.sluice.config.TlsFiles;
import io.sluice.metrics.Meters;
import io.sluice.web.PollBudget;
import io.sluice.web.RequestTraces;
import io.sluice.web.connection.AddressCounts;
import io.sluice.web.connection.OpenConnections;
import io.sluice.web.connection.PortTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;

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
        OpenConnections.Limits.of(
            config.connectionsMax(),
            config.bodyTimeoutS(),
            new AddressCounts(config.connectionsPerAddress(), auth.trustedProxies()));
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

  /** The port that it listens on. */
  public int port() {
    return server().actualPort();
  }

  /** All event loops share what the first one listens with. */
  private HttpServer server() {
    return verticles.get(0).server();
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
}
