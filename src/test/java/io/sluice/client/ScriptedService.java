package io.sluice.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * A server that reads each request whole, then does what its script says: the next act, or the last
 * one again.
 */
final class ScriptedService implements AutoCloseable {
  /** What is done with one request. */
  interface Act {
    void with(HttpExchange exchange, ScriptedService service) throws IOException;
  }

  /** A request, as it came. */
  record Heard(String line, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.get(name);
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Queue<Act> acts;
  private final List<Heard> heard = new CopyOnWriteArrayList<>();

  private ScriptedService(List<Act> script) {
    acts = new ArrayDeque<>(script);
    try {
      server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  static ScriptedService doing(Act... script) {
    return new ScriptedService(List.of(script));
  }

  /** The connection is closed in place of an answer. */
  static Act lose() {
    return (exchange, service) -> exchange.close();
  }

  /** There is no answer as long as the service lives. */
  static Act hang() {
    return (exchange, service) -> service.awaitClosed();
  }

  /** The head of the answer comes, its body never. */
  static Act hangInBody() {
    return (exchange, service) -> {
      exchange.sendResponseHeaders(200, 100);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
      service.awaitClosed();
    };
  }

  static Act answer(int status, String body) {
    return (exchange, service) -> send(exchange, status, body);
  }

  static Act refuse(int status, String word) {
    return answer(status, problem(status, word));
  }

  static Act refuse(int status, String word, String retryAfter) {
    return (exchange, service) -> {
      exchange.getResponseHeaders().set("Retry-After", retryAfter);
      send(exchange, status, problem(status, word));
    };
  }

  static String problem(int status, String word) {
    return """
        {"type":"/problems/%s","title":"A title","status":%d,"detail":"Expected this, but got that."}"""
        .formatted(word, status);
  }

  static String order(String status) {
    return """
        {"order_token":"7.0.AAAAAAAAAAAAAAAAAAAAAA","sku_id":7,"qty":1,"seq":1,"status":"%s","reason":null,\
        "pay_before":"2026-11-21T08:05:00.123Z","created_at":"2026-11-21T08:00:00.123Z",\
        "updated_at":"2026-11-21T08:00:00.123Z"}"""
        .formatted(status);
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  List<Heard> heard() {
    return List.copyOf(heard);
  }

  Stream<String> lines() {
    return heard.stream().map(Heard::line);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
    String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    heard.add(new Heard(line, headers, body));
    next().with(exchange, this);
  }

  private synchronized Act next() {
    return acts.size() > 1 ? acts.remove() : acts.element();
  }

  private void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
