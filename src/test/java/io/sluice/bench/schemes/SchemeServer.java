package io.sluice.bench.schemes;

import io.sluice.web.OpenConnections;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * Serves one scheme: {@code POST /v1/orders} like the service, {@code PUT /stock} and {@code GET
 * /books} for the benchmark.
 */
public final class SchemeServer extends VerticleBase {
  private final SchemeKind kind;
  private final int port;
  private final String redisUri;
  private final Pool pool;
  private final KafkaProducer<String, String> producer;
  private Scheme scheme;

  private SchemeServer(
      SchemeKind kind,
      int port,
      String redisUri,
      Pool pool,
      KafkaProducer<String, String> producer) {
    this.kind = kind;
    this.port = port;
    this.redisUri = redisUri;
    this.pool = pool;
    this.producer = producer;
  }

  /** Arguments: scheme, port, Redis, MySQL, Kafka. */
  public static void main(String[] args) {
    SchemeKind kind = SchemeKind.valueOf(args[0]);
    int port = Integer.parseInt(args[1]);
    int loops = Runtime.getRuntime().availableProcessors();
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops));
    Pool pool = SchemeParts.pool(vertx, args[3]);
    boolean queued = kind == SchemeKind.QUEUED_ONE_BY_ONE;
    KafkaProducer<String, String> producer = queued ? SchemeParts.producer(args[4]) : null;
    SchemeTables.create(pool)
        .compose(
            created ->
                vertx.deployVerticle(
                    () -> new SchemeServer(kind, port, args[2], pool, producer),
                    new DeploymentOptions().setInstances(loops)))
        .onSuccess(
            id -> {
              if (queued) {
                new QueueConsumer(args[4], pool).start();
              }
              System.out.println("listening " + port);
            })
        .onFailure(
            failure -> {
              System.out.println(failure);
              System.exit(1);
            });
  }

  @Override
  public Future<?> start() {
    return SchemeParts.connect(vertx, redisUri, pool, producer)
        .compose(
            parts -> {
              scheme = kind.make(parts);
              return vertx
                  .createHttpServer(OpenConnections.settings("127.0.0.1", port, 16_384))
                  .requestHandler(this::serve)
                  .listen();
            });
  }

  private void serve(HttpServerRequest request) {
    if (HttpMethod.POST.equals(request.method())) {
      request.body().onSuccess(body -> order(request, body));
    } else if (HttpMethod.PUT.equals(request.method())) {
      long units = Long.parseLong(request.getParam("units"));
      scheme
          .restock(sku(request), units)
          .onSuccess(v -> request.response().end())
          .onFailure(failure -> failed(request.response(), failure));
    } else {
      scheme
          .books(sku(request))
          .map(
              books ->
                  new JsonObject()
                      .put("total", books.total())
                      .put("deducted", books.deducted())
                      .put("recorded", books.recorded()))
          .onSuccess(books -> request.response().end(books.toBuffer()))
          .onFailure(failure -> failed(request.response(), failure));
    }
  }

  private static long sku(HttpServerRequest request) {
    return Long.parseLong(request.getParam("sku"));
  }

  private void order(HttpServerRequest request, Buffer body) {
    long skuId = new JsonObject(body).getLong("sku_id");
    scheme
        .order(skuId, request.getHeader("X-User-Id"))
        .onSuccess(verdict -> request.response().setStatusCode(status(verdict)).end())
        .onFailure(failure -> failed(request.response(), failure));
  }

  private static int status(Scheme.Verdict verdict) {
    return switch (verdict) {
      case GRANTED -> 201;
      case SOLD_OUT -> 409;
      case CONFLICT -> 503;
    };
  }

  private static void failed(HttpServerResponse response, Throwable failure) {
    response.setStatusCode(503).end(String.valueOf(failure.getMessage()));
  }
}
