package io.sluice.testkit.fault;

import io.sluice.testkit.server.BackendException;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A reverse proxy of this machine in front of a port. What it does to the headers of the calls that
 * it passes on is told beforehand; all others go through as they came, Host included.
 */
public final class ReverseProxy implements AutoCloseable {
  private static final int LIMIT_S = 10;

  private final Vertx vertx =
      Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setUseDaemonThread(true));
  private final List<Consumer<MultiMap>> edits = new CopyOnWriteArrayList<>();
  private final URI target;
  private final HttpClient client;
  private final int port;

  private ReverseProxy(String target, HttpVersion version) {
    this.target = URI.create(target);
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(version)
                .setKeepAlive(version == HttpVersion.HTTP_1_1));
    HttpServer server = vertx.createHttpServer().requestHandler(this::pass);
    this.port = await(server.listen(0, "127.0.0.1")).actualPort();
  }

  /** In front of the port at this URL. */
  public static ReverseProxy inFrontOf(String url) {
    return new ReverseProxy(url, HttpVersion.HTTP_1_1);
  }

  /** The same, one that speaks HTTP/1.0 to what stands behind it. */
  public static ReverseProxy ofHttp10InFrontOf(String url) {
    return new ReverseProxy(url, HttpVersion.HTTP_1_0);
  }

  /** Adds a header to what the call has. */
  public ReverseProxy adding(String name, String value) {
    edits.add(headers -> headers.add(name, value));
    return this;
  }

  /** Drops a header that the call may have. */
  public ReverseProxy dropping(String name) {
    edits.add(headers -> headers.remove(name));
    return this;
  }

  /** Puts this in place of whatever the call has. */
  public ReverseProxy forging(String name, String value) {
    edits.add(headers -> headers.set(name, value));
    return this;
  }

  /** Names the port behind it in Host, as proxies do that are told nothing else. */
  public ReverseProxy namingItsTarget() {
    return forging("Host", target.getAuthority());
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  private void pass(HttpServerRequest call) {
    HttpServerResponse answer = call.response();
    call.body()
        .compose(
            body ->
                client
                    .request(call.method(), target.getPort(), target.getHost(), call.uri())
                    .compose(request -> send(request, call, body)))
        .compose(response -> response.body().compose(body -> give(response, body, answer)))
        .onFailure(broken -> answer.setStatusCode(502).end());
  }

  private Future<HttpClientResponse> send(
      HttpClientRequest request, HttpServerRequest call, Buffer body) {
    request.headers().addAll(call.headers());
    edits.forEach(edit -> edit.accept(request.headers()));
    return request.send(body);
  }

  private static Future<Void> give(
      HttpClientResponse response, Buffer body, HttpServerResponse answer) {
    answer.setStatusCode(response.statusCode());
    answer.headers().addAll(response.headers()).remove("Connection");
    return answer.end(body);
  }

  @Override
  public void close() {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.await(LIMIT_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new BackendException("the reverse proxy did not do as told", e);
    }
  }
}
