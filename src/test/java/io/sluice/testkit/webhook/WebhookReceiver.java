package io.sluice.testkit.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.sluice.testkit.tls.Certificates.Issued;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A target of events on a free port of the loopback address. It verifies each message with the
 * library of Standard Webhooks, and keeps ids, so that it takes each message once.
 */
public final class WebhookReceiver implements AutoCloseable {
  /** A secret, which its messages are signed with. */
  public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final int HANGS_S = 60;
  private static final int QUEUE = 50;

  private final HttpServer server;
  private final String scheme;
  private final ExecutorService threads = Executors.newCachedThreadPool(WebhookReceiver::daemon);
  private final Set<String> ids = new HashSet<>();
  private final Queue<JsonObject> taken = new ConcurrentLinkedQueue<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile int status = 200;
  private volatile boolean hanging;
  private volatile int delayMs;

  private WebhookReceiver(HttpServer server) {
    this.server = server;
    this.scheme = server instanceof HttpsServer ? "https" : "http";
    server.createContext("/hook", this::take);
    server.setExecutor(threads);
    server.start();
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "webhook-receiver");
    thread.setDaemon(true);
    return thread;
  }

  /** One that accepts all. */
  public static WebhookReceiver start() {
    try {
      return new WebhookReceiver(HttpServer.create(anyPort(), QUEUE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that accepts all, by TLS with this certificate. */
  public static WebhookReceiver start(Issued certificate) {
    try {
      HttpsServer server = HttpsServer.create(anyPort(), QUEUE);
      server.setHttpsConfigurator(new HttpsConfigurator(certificate.server()));
      return new WebhookReceiver(server);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** The {@code url} of a target. */
  public String url() {
    return scheme + "://127.0.0.1:" + server.getAddress().getPort() + "/hook";
  }

  /** Answers this status from now on; messages with another one than 200 are not taken. */
  public WebhookReceiver answering(int other) {
    status = other;
    return this;
  }

  /** Answers nothing from now on. */
  public WebhookReceiver hanging() {
    hanging = true;
    return this;
  }

  /** Answers after this time. */
  public WebhookReceiver slow(int ms) {
    delayMs = ms;
    return this;
  }

  private void take(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    pause();
    if (hanging) {
      return;
    }
    if (status == 200) {
      take(exchange, body);
    }
    byte[] ignored = "ignored".getBytes(UTF_8);
    exchange.sendResponseHeaders(status, ignored.length);
    exchange.getResponseBody().write(ignored);
    exchange.close();
  }

  private void take(HttpExchange exchange, String body) {
    try {
      new Webhook(SECRET).verify(body, exchange.getRequestHeaders());
      take(exchange.getRequestHeaders().getFirst("webhook-id"), new JsonObject(body));
    } catch (WebhookVerificationException forged) {
      faults.add(forged + ": " + body);
    }
  }

  /** A second sender of the same message is not answered before it was taken. */
  private synchronized void take(String id, JsonObject message) {
    if (ids.add(id)) {
      taken.add(message);
    }
  }

  private void pause() {
    try {
      boolean isClosed = closed.await(hanging ? HANGS_S * 1_000 : delayMs, TimeUnit.MILLISECONDS);
      if (isClosed) {
        Thread.currentThread().interrupt();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** The types of the messages of an order, in the order in which they were taken. */
  public List<String> typesOf(String orderToken) {
    return taken.stream()
        .filter(each -> orderToken.equals(each.getJsonObject("data").getString("order_token")))
        .map(each -> each.getString("type"))
        .toList();
  }

  public List<JsonObject> taken() {
    return List.copyOf(taken);
  }

  /** Messages whose signature is wrong. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /** How many came, taken or not. */
  public int requests() {
    return requests.get();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
