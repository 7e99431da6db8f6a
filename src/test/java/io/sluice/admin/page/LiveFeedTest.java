package io.sluice.admin.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.Meters;
import io.sluice.web.HttpProbe;
import io.sluice.web.InFlight;
import io.sluice.web.InFlight.PollBudget;
import io.sluice.web.RequestPipeline;
import io.sluice.web.RequestTraces;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Frames for many viewers: how many are built, and what becomes of those who do not take them. */
class LiveFeedTest {
  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Meters meters = new Meters(registry);
  private final RequestPipeline pipeline =
      new RequestPipeline(new InFlight(1, meters), new PollBudget(0), meters, RequestTraces.OFF);
  private final AtomicInteger built = new AtomicInteger();
  private final AtomicLong skippedNanos = new AtomicLong();
  private final List<Socket> sockets = new ArrayList<>();
  private volatile String ballast = "";
  private int port;

  @BeforeEach
  void listen() {
    LiveFeed unit =
        new LiveFeed(vertx, this::frame, () -> System.nanoTime() + skippedNanos.get(), meters);
    port =
        HttpProbe.await(
                vertx
                    .createHttpServer()
                    .requestHandler(request -> unit.join(pipeline.receive(request, "live")))
                    .listen(0, "127.0.0.1"))
            .actualPort();
  }

  @AfterEach
  void tearDown() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    HttpProbe.await(vertx.close());
  }

  private JsonObject frame() {
    return new JsonObject().put("n", built.incrementAndGet()).put("ballast", ballast);
  }

  private Socket watch() throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    sockets.add(socket);
    socket
        .getOutputStream()
        .write("GET /admin/live HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  /** The numbers of the next frames that a viewer gets. */
  private static List<Integer> frames(BufferedReader from, int count) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    while (numbers.size() < count) {
      String line = from.readLine();
      if (line.startsWith("data: ")) {
        numbers.add(new JsonObject(line.substring("data: ".length())).getInteger("n"));
      }
    }
    return numbers;
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    socket.setSoTimeout(10_000);
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  private int viewers() {
    return (int) registry.get("sluice_page_viewers").gauge().value();
  }

  @Test
  void shouldBuildOneFrameForAllViewersAtMostFourTimesASecond() throws IOException {
    // given
    List<BufferedReader> viewers = new ArrayList<>();
    long startNanos = System.nanoTime();
    for (int i = 0; i < 50; i++) {
      viewers.add(reader(watch()));
    }

    // when
    List<List<Integer>> seen = new ArrayList<>();
    for (BufferedReader viewer : viewers) {
      seen.add(frames(viewer, 5));
    }

    // then: one per interval, and one in between for those who join
    long intervals = (System.nanoTime() - startNanos) / LiveFeed.EVERY.toNanos();
    assertThat((long) built.get()).isLessThanOrEqualTo(2 * intervals + 3);
    assertThat(seen).allMatch(numbers -> numbers.equals(numbers.stream().sorted().toList()));
    assertThat(seen.stream().filter(numbers -> numbers.contains(seen.get(0).get(4))).count())
        .isGreaterThan(40);
  }

  @Test
  void shouldBuildNothingWhenNobodyWatches() throws IOException {
    // given
    Socket viewer = watch();
    frames(reader(viewer), 2);
    viewer.close();
    await().until(() -> viewers() == 0);
    await().pollDelay(LiveFeed.EVERY.multipliedBy(2)).until(() -> true);
    int before = built.get();

    // when
    await().pollDelay(LiveFeed.EVERY.multipliedBy(3)).until(() -> true);

    // then
    assertThat(built).hasValue(before);
  }

  @Test
  void shouldBeginAgainWhenSomebodyWatchesAgain() throws IOException {
    // given
    Socket first = watch();
    frames(reader(first), 2);
    first.close();
    await().until(() -> viewers() == 0);
    await().pollDelay(LiveFeed.EVERY.multipliedBy(2)).until(() -> true);

    // when
    List<Integer> seen = frames(reader(watch()), 3);

    // then
    assertThat(seen).hasSize(3).isSorted();
  }

  @Test
  void shouldRefuseMoreViewersThanTheMaximum() throws IOException {
    // given
    for (int i = 0; i < LiveFeed.VIEWERS_MAX; i++) {
      watch();
    }
    await().until(() -> viewers() == LiveFeed.VIEWERS_MAX);

    // when
    String answer = reader(watch()).readLine();

    // then
    assertThat(answer).isEqualTo("HTTP/1.1 503 Service Unavailable");
    assertThat(viewers()).isEqualTo(LiveFeed.VIEWERS_MAX);
  }

  @Test
  void shouldCutOffAViewerThatTakesNothingAndServeTheOthers() throws IOException {
    // given: more than a connection keeps on its way
    ballast = "x".repeat(4_000_000);
    Socket stuck = watch();
    BufferedReader other = reader(watch());
    frames(other, 6);
    assertThat(viewers()).isEqualTo(2);

    // when
    skippedNanos.set(Duration.ofMinutes(1).toNanos());

    // then
    frames(other, 3);
    await().until(() -> viewers() == 1);
    assertThat(stuck.isClosed()).isFalse();
  }

  @Test
  void shouldSendNoFrameToHead() {
    // when
    HttpProbe.Answer answer =
        new HttpProbe(port)
            .send("HEAD", "/admin/live", java.net.http.HttpRequest.BodyPublishers.noBody());

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).startsWith("text/event-stream");
    assertThat(viewers()).isZero();
  }
}
