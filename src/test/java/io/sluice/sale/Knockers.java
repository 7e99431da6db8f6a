package io.sluice.sale;

import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Buyers who each open a connection, order one unit and disconnect after the answer, as fast as
 * some threads can.
 */
final class Knockers implements AutoCloseable {
  private static final int THREADS = 8;
  private static final int PATIENCE_MS = 15_000;

  private final URI port;
  private final long skuId;
  private final AtomicInteger arrivals = new AtomicInteger();
  private final Queue<String> answers = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads;
  private volatile boolean over;

  Knockers(SluiceProcess instance, long skuId) {
    this.port = URI.create(instance.url());
    this.skuId = skuId;
    this.threads =
        IntStream.range(0, THREADS).mapToObj(i -> new Thread(this::knock, "knocker-" + i)).toList();
    threads.forEach(Thread::start);
  }

  /** All bytes received so far: whole answers, and truncated ones. */
  List<String> answers() {
    return List.copyOf(answers);
  }

  /** The tokens of all granted orders. */
  List<String> yeses() {
    return answers.stream()
        .filter(answer -> answer.startsWith("HTTP/1.1 201 "))
        .map(answer -> new JsonObject(bodyOf(answer)).getString("order_token"))
        .toList();
  }

  /** Whether an answer is complete. */
  static boolean isWhole(String answer) {
    return answer.contains("\r\n\r\n") && bodyOf(answer).endsWith("}");
  }

  private static String bodyOf(String answer) {
    return answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }

  private void knock() {
    while (!over) {
      try (Socket socket = new Socket(port.getHost(), port.getPort())) {
        socket.setSoTimeout(PATIENCE_MS);
        socket.getOutputStream().write(order());
        String answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        if (!answer.isEmpty()) {
          answers.add(answer);
        }
      } catch (IOException refused) {
        Thread.onSpinWait();
      }
    }
  }

  private byte[] order() {
    String body = "{\"sku_id\":" + skuId + ",\"qty\":1}";
    return ("POST /v1/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-User-Id: knocker-"
            + arrivals.incrementAndGet()
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    over = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
