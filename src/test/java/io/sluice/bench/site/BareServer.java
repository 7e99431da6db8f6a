package io.sluice.bench.site;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.web.OpenConnections;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The reference for HTTP: a Vert.x server with the Vert.x, transport and settings of the service,
 * one verticle per event loop and no router. It parses the body of {@code POST /v1/orders} and
 * answers a constant of the size of an order.
 */
public final class BareServer extends VerticleBase {
  private static final JsonFactory JSON = new JsonFactory();
  private static final CharSequence MEDIA_TYPE = HttpHeaders.createOptimized("application/json");
  private static final Buffer ANSWER =
      Buffer.buffer(
          "{\"order_token\":\"1001.0.AAAAAAAAAAAAAAAAAAAAAA\",\"sku_id\":1001,\"qty\":1,\"seq\":1,"
              + "\"status\":\"RESERVED\",\"reason\":null,\"pay_before\":\"2030-01-01T00:05:00.000Z\","
              + "\"created_at\":\"2030-01-01T00:00:00.000Z\",\"updated_at\":\"2030-01-01T00:00:00.000Z\"}");

  private final int port;

  private BareServer(int port) {
    this.port = port;
  }

  /** Arguments: the port, the number of event loops. */
  public static void main(String[] args) {
    int port = Integer.parseInt(args[0]);
    int loops = Integer.parseInt(args[1]);
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(loops)
                .setDisableTCCL(true));
    vertx
        .deployVerticle(() -> new BareServer(port), new DeploymentOptions().setInstances(loops))
        .onSuccess(id -> System.out.println("listening " + port))
        .onFailure(
            failure -> {
              System.out.println(failure);
              System.exit(1);
            });
  }

  @Override
  public Future<?> start() {
    HttpServer server = vertx.createHttpServer(OpenConnections.settings("127.0.0.1", port, 16_384));
    return server.requestHandler(BareServer::serve).listen();
  }

  private static void serve(HttpServerRequest request) {
    request.handler(body -> answer(request, body));
  }

  private static void answer(HttpServerRequest request, Buffer body) {
    if (!isOrder(body)) {
      request.response().setStatusCode(400).end();
      return;
    }
    request.response().headers().set(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE);
    request.response().setStatusCode(201).end(ANSWER);
  }

  private static boolean isOrder(Buffer body) {
    long skuId = 0;
    long qty = 0;
    try (JsonParser parser = JSON.createParser(body.getBytes())) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        if (name.equals("sku_id")) {
          skuId = parser.getLongValue();
        } else if (name.equals("qty")) {
          qty = parser.getLongValue();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return skuId > 0 && qty > 0;
  }
}
