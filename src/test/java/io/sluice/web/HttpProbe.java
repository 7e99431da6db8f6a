package io.sluice.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sluice.model.ProblemType;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A client of one port: a real HTTP client, and a plain socket for requests that no client would
 * send.
 */
public final class HttpProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int port;
  private final AnswerCheck check;

  public HttpProbe(int port) {
    this(port, (method, path, answer) -> {});
  }

  /**
   * @param check of each answer, which fails the request where it throws
   */
  public HttpProbe(int port, AnswerCheck check) {
    this.port = port;
    this.check = check;
  }

  /** Looks at an answer. */
  @FunctionalInterface
  public interface AnswerCheck {
    void check(String method, String path, Answer answer);
  }

  /** An answer; {@code body} is empty where it is no JSON object. */
  public record Answer(int status, String text, HttpResponse<String> response) {
    public JsonObject json() {
      return new JsonObject(text);
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse(null);
    }

    /** The name of the problem; also checks that it is well-formed (RFC 9457). */
    public String problem() {
      JsonObject json = json();
      if (!"application/problem+json".equals(header("content-type"))
          || json.getInteger("status") != status
          || json.getString("title").isBlank()
          || json.getString("detail").isBlank()) {
        throw new AssertionError("Not a well-formed problem: " + status + " " + text);
      }
      String word = json.getString("type").replaceFirst("^/problems/", "");
      if (Stream.of(ProblemType.values())
          .noneMatch(type -> type.word().equals(word) && type.status() == status)) {
        throw new AssertionError("Not a problem with its status: " + status + " " + text);
      }
      return word;
    }

    public String field() {
      return json().getString("field");
    }
  }

  /** Sends a request; headers are name, value, name, value. */
  public Answer send(String method, String path, BodyPublisher body, String... headers) {
    return await(sendLater(method, path, body, headers));
  }

  public CompletableFuture<Answer> sendLater(
      String method, String path, BodyPublisher body, String... headers) {
    return send(request(method, path, body, headers).timeout(PATIENCE), method, path);
  }

  /** Sends a request without a body that is in flight until the server ends it. */
  public CompletableFuture<Answer> occupy(String method, String path, String... headers) {
    return send(request(method, path, BodyPublishers.noBody(), headers), method, path);
  }

  private HttpRequest.Builder request(
      String method, String path, BodyPublisher body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).method(method, body);
    return headers.length > 0 ? request.headers(headers) : request;
  }

  private CompletableFuture<Answer> send(HttpRequest.Builder request, String method, String path) {
    return client
        .sendAsync(request.build(), BodyHandlers.ofString())
        .thenApply(
            response -> {
              Answer answer = new Answer(response.statusCode(), response.body(), response);
              check.check(method, path, answer);
              return answer;
            });
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, BodyPublishers.noBody(), headers);
  }

  public Answer post(String path, String... headers) {
    return send("POST", path, BodyPublishers.noBody(), headers);
  }

  /** Sends JSON. */
  public Answer json(String method, String path, String body, String... headers) {
    String[] all = java.util.Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = "Content-Type";
    all[headers.length + 1] = "application/json";
    return send(method, path, BodyPublishers.ofString(body), all);
  }

  /** Sends these bytes and returns everything received until the server closes the connection. */
  public String raw(String bytes) throws IOException {
    try (Socket socket = sent(bytes)) {
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  /** Sends these bytes and returns the first answer, whose length it says. */
  public String rawAnswer(String bytes) throws IOException {
    try (Socket socket = sent(bytes)) {
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = in.read();
        if (next < 0) {
          return head.toString();
        }
        head.append((char) next);
      }
      int length =
          Integer.parseInt(head.toString().replaceAll("(?is).*content-length: (\\d+).*", "$1"));
      return head + new String(in.readNBytes(length), ISO_8859_1);
    }
  }

  private Socket sent(String bytes) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
    socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
    socket.getOutputStream().flush();
    return socket;
  }

  /** Waits until this holds. */
  public static void eventually(BooleanSupplier condition) {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError("Expected it to hold by now, but it does not");
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  public static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  public static <T> T await(Future<T> future) {
    return await(future.toCompletionStage().toCompletableFuture());
  }
}
