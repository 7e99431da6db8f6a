package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A management port that gives the answer of a script, and the command line that calls it. */
final class ScriptedPort implements AutoCloseable {
  /** What arrived. */
  record Seen(String line, Map<String, List<String>> headers, String body) {
    /** The value of a header; empty if it is not there. */
    String header(String name) {
      return String.join(",", headers.getOrDefault(name, List.of()));
    }
  }

  /** What a command has written, and its exit code. */
  record Ran(int code, String out, String err) {}

  /** How a request is answered. */
  interface Script {
    void answer(HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final List<Seen> seen = new ArrayList<>();
  private volatile Script script = exchange -> {};

  private ScriptedPort(HttpServer server) {
    this.server = server;
  }

  static ScriptedPort started() {
    try {
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      return new ScriptedPort(HttpServer.create(any, 50))
          .answers(200, "application/json", "{}")
          .serving();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private ScriptedPort serving() {
    server.createContext("/", this::take);
    server.start();
    return this;
  }

  private void take(HttpExchange exchange) throws IOException {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(exchange.getRequestHeaders());
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    seen.add(new Seen(exchange.getRequestMethod() + " " + exchange.getRequestURI(), headers, body));
    try (exchange) {
      script.answer(exchange);
    }
  }

  /** All that arrived. */
  List<Seen> seen() {
    return seen;
  }

  ScriptedPort answers(Script next) {
    script = next;
    return this;
  }

  /**
   * Answers each request so.
   *
   * @param headers name and value in turn
   */
  ScriptedPort answers(int status, String type, String body, String... headers) {
    return answers(
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", type);
          for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
          }
          byte[] bytes = body.getBytes(UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
          }
        });
  }

  /** Runs a command against this port. */
  Ran run(String... words) {
    return runSaying("", Map.of(), words);
  }

  /**
   * Runs a command against this port.
   *
   * @param said what its user types
   */
  Ran runSaying(String said, Map<String, String> environment, String... words) {
    List<String> all = new ArrayList<>();
    all.add("--url");
    all.add("http://127.0.0.1:" + server.getAddress().getPort());
    all.addAll(List.of(words));
    return runAlone(said, environment, all);
  }

  static Ran runAlone(String said, Map<String, String> environment, List<String> words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        AdminCommand.run(
            words,
            environment,
            new Streams(
                new ByteArrayInputStream(said.getBytes(UTF_8)),
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8)));
    return new Ran(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
