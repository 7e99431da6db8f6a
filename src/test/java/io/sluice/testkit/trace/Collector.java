package io.sluice.testkit.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;

/** A collector on a free port of the loopback address. */
public final class Collector implements AutoCloseable {
  private final List<SeenSpan> spans = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "collector");
            thread.setDaemon(true);
            return thread;
          });
  private final HttpServer server;
  private volatile int status = 200;
  private volatile boolean silent;
  private final AtomicInteger requests = new AtomicInteger();

  private Collector(HttpServer server) {
    this.server = server;
    server.createContext("/v1/traces", this::take);
    server.setExecutor(threads);
    server.start();
  }

  /** A collector that takes everything. */
  public static Collector start() {
    try {
      return new Collector(
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What {@code tracing.endpoint} is set to. */
  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Answers this status from now on. */
  public void answer(int statusOfAll) {
    status = statusOfAll;
  }

  /** Answers nothing any more. */
  public void fallSilent() {
    silent = true;
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    requests.incrementAndGet();
    if (silent) {
      return;
    }
    if (status == 200) {
      boolean isGzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      byte[] plain =
          isGzip ? new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes() : body;
      spans.addAll(SeenSpan.of(plain));
      authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    }
    exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  /** All spans so far. */
  public List<SeenSpan> spans() {
    return List.copyOf(spans);
  }

  /** The spans of a trace. */
  public List<SeenSpan> trace(String traceId) {
    return spans.stream().filter(span -> span.traceId().equals(traceId)).toList();
  }

  /** The headers that came with what it took. */
  public List<String> authorizations() {
    return List.copyOf(authorizations);
  }

  /** How many requests came. */
  public int requests() {
    return requests.get();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
