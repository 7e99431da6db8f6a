package io.sluice.webhook;

import io.sluice.async.TimeLimit;
import io.sluice.ledger.Webhooks.Webhook;
import io.sluice.monitor.ConnectFault;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.resolver.NameResolver;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends messages by HTTP/1.1. A name is resolved for each request, and the request goes to the
 * address that was checked. No redirect is followed, and nothing of an answer but its status
 * counts. Used on the event loop that made it.
 */
final class WebhookSender {
  /** Requests to one target at a time. */
  static final int IN_FLIGHT_MAX = 16;

  private static final int ANSWER_BYTES_MAX = 64 * 1024;
  private static final int IDLE_S_MAX = 30;
  private static final int GONE = 410;

  /**
   * What a target has made of a message.
   *
   * @param status 0 if there was no answer
   * @param why in words, if it was not accepted
   */
  record Outcome(int status, String why) {
    boolean isAccepted() {
      return status >= 200 && status < 300;
    }

    /** Whether the target wants nothing more, ever. */
    boolean isGone() {
      return status == GONE;
    }

    static Outcome of(int status) {
      return new Outcome(status, "answered " + status);
    }

    static Outcome none(String why) {
      return new Outcome(0, why);
    }
  }

  private final NameResolver resolver;
  private final HttpClient client;
  private final AddressGuard guard;
  private final Duration limit;
  private final InstantSource clock;

  /**
   * @param caFile PEM file of the authorities that may have signed the certificate of a target;
   *     empty: those that the JVM trusts
   * @param limit of a request, from the look-up of the name to the end of the answer
   */
  WebhookSender(
      Vertx vertx, AddressGuard guard, String caFile, Duration limit, InstantSource clock) {
    this.resolver = ((VertxInternal) vertx).nameResolver();
    this.guard = guard;
    this.limit = limit;
    this.clock = clock;
    HttpClientOptions options =
        new HttpClientOptions()
            .setConnectTimeout((int) limit.toMillis())
            .setIdleTimeout(IDLE_S_MAX)
            .setIdleTimeoutUnit(TimeUnit.SECONDS)
            .setVerifyHost(true);
    if (!caFile.isEmpty()) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(caFile));
    }
    this.client =
        vertx.createHttpClient(
            options,
            new PoolOptions().setHttp1MaxSize(IN_FLIGHT_MAX).setMaxWaitQueueSize(IN_FLIGHT_MAX));
  }

  /** Never fails: what goes wrong is an outcome. */
  Future<Outcome> send(Webhook target, Message message) {
    Optional<TargetUrl> parsed = TargetUrl.parse(target.url());
    if (parsed.isEmpty()) {
      return Future.succeededFuture(Outcome.none("its url is none"));
    }
    TargetUrl url = parsed.get();
    Exchange exchange = new Exchange();
    return TimeLimit.of(
            limit.toMillis(),
            resolver
                .resolve(url.host())
                .compose(
                    address ->
                        guard.admits(address.getHostAddress())
                            ? exchange.run(options(url, address), target, message)
                            : Future.succeededFuture(
                                Outcome.none("webhooks.allow_private does not admit its address"))))
        .recover(
            failure -> {
              exchange.drop();
              return Future.succeededFuture(
                  failure instanceof TimeoutException
                      ? Outcome.none("no answer within " + limit.toSeconds() + " s")
                      : Outcome.none(text(failure)));
            });
  }

  private static String text(Throwable failure) {
    return ConnectFault.of(failure).text() + ": " + ConnectFault.line(failure);
  }

  /** The connection is to the address, while Host and certificate are those of the name. */
  private static RequestOptions options(TargetUrl url, InetAddress address) {
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setServer(SocketAddress.inetSocketAddress(url.port(), address.getHostAddress()))
        .setHost(url.host())
        .setPort(url.port())
        .setSsl(url.isHttps())
        .setURI(url.path())
        .setFollowRedirects(false);
  }

  /** One request, which can be dropped whenever it is. */
  private final class Exchange {
    private volatile boolean dropped;
    private volatile List<HttpClientRequest> sent = List.of();

    Future<Outcome> run(RequestOptions options, Webhook target, Message message) {
      return client
          .request(options)
          .compose(
              request -> {
                // Else the client would log as an error what is an outcome.
                request.exceptionHandler(told -> {});
                sent = List.of(request);
                if (dropped) {
                  drop();
                  return Future.succeededFuture(Outcome.none("no connection in time"));
                }
                String body = message.body(target.form());
                long nowS = clock.instant().getEpochSecond();
                return request
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .putHeader(HttpHeaders.USER_AGENT, "Sluice")
                    .putHeader("webhook-id", message.id())
                    .putHeader("webhook-timestamp", Long.toString(nowS))
                    .putHeader(
                        "webhook-signature", Signature.header(target, message.id(), nowS, body))
                    .send(body)
                    .compose(this::answered);
              });
    }

    /** The answer is read to its end, so that the connection can be used again, or given up. */
    private Future<Outcome> answered(HttpClientResponse response) {
      int[] bytes = new int[1];
      response.handler(
          part -> {
            bytes[0] += part.length();
            if (bytes[0] > ANSWER_BYTES_MAX) {
              drop();
            }
          });
      Outcome outcome = Outcome.of(response.statusCode());
      return response.end().transform(ended -> Future.succeededFuture(outcome));
    }

    void drop() {
      dropped = true;
      sent.forEach(HttpClientRequest::reset);
    }
  }

  Future<Void> close() {
    return client.close();
  }
}
