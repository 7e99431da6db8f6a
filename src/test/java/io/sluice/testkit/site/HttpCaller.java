package io.sluice.testkit.site;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** HTTP as callers see it: every call ends with an {@link Answer}, also if none came. */
public final class HttpCaller {
  private static final int CONNECTIONS_MAX = 512;
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** Shorter than instances keep idle connections (75 s): a request must not meet their close. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

  private final Vertx vertx;
  private final HttpClient client;

  public HttpCaller(Vertx vertx) {
    this.vertx = vertx;
    this.client =
        vertx
            .httpClientBuilder()
            .with(
                new HttpClientOptions()
                    // Tests of certificates look at them themselves.
                    .setTrustAll(true)
                    .setVerifyHost(false)
                    .setConnectTimeout((int) CONNECT_LIMIT.toMillis())
                    .setKeepAlive(true)
                    .setKeepAliveTimeout((int) KEEP_ALIVE.toSeconds()))
            .with(new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX))
            // A broken connection is reported by the answers of its requests.
            .withConnectHandler(connection -> connection.exceptionHandler(broken -> {}))
            .build();
  }

  /** The Future never fails. */
  public Future<Answer> send(Call call) {
    // Runs completely on the event loop: a handler set by another thread may come too late for the
    // response's body, which would then never complete.
    Promise<Answer> answer = Promise.promise();
    vertx.getOrCreateContext().runOnContext(now -> sendNow(call).onComplete(answer));
    return answer.future();
  }

  private Future<Answer> sendNow(Call call) {
    long startNs = System.nanoTime();
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.valueOf(call.method()))
            .setAbsoluteURI(call.url())
            .setTimeout(call.limit().toMillis());
    return client
        .request(options)
        .compose(request -> write(request, call))
        .compose(response -> response.body().map(body -> answer(response, body, startNs)))
        .timeout(call.limit().toMillis(), TimeUnit.MILLISECONDS)
        .otherwise(why -> Answer.none(why, since(startNs)));
  }

  /** The same, blocking. Not for event loops. */
  public Answer ask(Call call) {
    try {
      return send(call).await(call.limit().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the tests' HTTP client does not complete " + call, e);
    }
  }

  private static Future<HttpClientResponse> write(HttpClientRequest request, Call call) {
    call.headers().forEach(request::putHeader);
    if (call.body() == null) {
      return request.send();
    }
    if (!call.chunked()) {
      return request.send(call.body());
    }
    request.setChunked(true);
    Future<HttpClientResponse> response = request.response();
    request.end(call.body());
    return response;
  }

  private static Answer answer(HttpClientResponse response, Buffer body, long startNs) {
    Map<String, String> headers =
        response.headers().entries().stream()
            .collect(
                Collectors.toMap(
                    header -> header.getKey().toLowerCase(Locale.ROOT),
                    Map.Entry::getValue,
                    (first, second) -> first + "," + second));
    return new Answer(response.statusCode(), headers, body.toString(), since(startNs));
  }

  private static Duration since(long startNs) {
    return Duration.ofNanos(System.nanoTime() - startNs);
  }
}
