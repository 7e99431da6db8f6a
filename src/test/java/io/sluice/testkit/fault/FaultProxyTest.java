package io.sluice.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Injects faults into the connections of a plain echo server. */
class FaultProxyTest {
  private static final int PATIENT_MS = 5_000;
  private static final int IMPATIENT_MS = 150;

  private final Queue<String> received = new ConcurrentLinkedQueue<>();
  private Vertx vertx;
  private FaultProxy unit;

  @BeforeEach
  void startEchoServer() throws Exception {
    vertx = Vertx.vertx();
    NetServer echo =
        vertx
            .createNetServer()
            .connectHandler(
                socket ->
                    socket.handler(
                        chunk -> {
                          received.add(chunk.toString());
                          socket.write(chunk);
                        }))
            .listen(0, "127.0.0.1")
            .await(5, TimeUnit.SECONDS);
    unit = FaultProxy.inFrontOf("echo://127.0.0.1:" + echo.actualPort() + "/path");
  }

  @AfterEach
  void stop() throws Exception {
    unit.close();
    vertx.close().await(5, TimeUnit.SECONDS);
  }

  @Test
  void shouldForwardBothWaysWhenAllIsWell() throws IOException {
    // given
    try (Caller caller = new Caller(unit.port())) {
      // when
      caller.say("hello");

      // then
      assertThat(caller.hear(PATIENT_MS)).isEqualTo("hello");
      assertThat(unit.uri()).isEqualTo("echo://127.0.0.1:" + unit.port() + "/path");
    }
  }

  @Test
  void shouldCloseTheConnectionAndLetNewOnesInWhenCut() throws IOException {
    // given
    try (Caller before = connected()) {
      // when
      unit.cut();

      // then
      assertThat(before.hear(PATIENT_MS)).isEmpty();
    }
    connected().close();
  }

  @Test
  void shouldAnswerOnlyAfterHealingWhenStalled() throws IOException {
    // given
    try (Caller caller = connected()) {
      unit.stall();

      // when
      caller.say("stalled");

      // then
      assertThatThrownBy(() -> caller.hear(IMPATIENT_MS))
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(received).doesNotContain("stalled");
      unit.heal();
      assertThat(caller.hear(PATIENT_MS)).isEqualTo("stalled");
    }
  }

  @Test
  void shouldHoldBackBothWaysWhenDelayed() throws IOException {
    // given
    try (Caller caller = connected()) {
      unit.delay(Duration.ofMillis(100));
      long startNs = System.nanoTime();

      // when
      caller.say("late");

      // then
      assertThat(caller.hear(PATIENT_MS)).isEqualTo("late");
      assertThat(Duration.ofNanos(System.nanoTime() - startNs))
          .isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }
  }

  @Test
  void shouldDeliverTheRequestButNotTheReplyWhenRepliesAreSwallowed() throws IOException {
    // given
    try (Caller caller = connected()) {
      unit.swallowReplies();

      // when
      caller.say("swallowed");

      // then
      await().until(() -> unit.repliesSwallowed() == 1);
      assertThat(received).contains("swallowed");
      assertThatThrownBy(() -> caller.hear(IMPATIENT_MS))
          .isInstanceOf(SocketTimeoutException.class);
      unit.heal();
      assertThat(caller.hear(PATIENT_MS)).as("closed, since it lost a reply").isEmpty();
    }
  }

  @Test
  void shouldDropTheReplyToWhatIsNamedOnItsConnectionOnly() throws IOException {
    // given
    try (Caller named = connected();
        Caller other = connected()) {
      unit.swallowReplyTo("INSERT", "COMMIT");

      // when
      other.say("COMMIT");
      named.say("INS");
      assertThat(named.hear(PATIENT_MS)).isEqualTo("INS");
      named.say("ERT");
      assertThat(named.hear(PATIENT_MS)).isEqualTo("ERT");
      named.say("COMMIT");

      // then
      await().until(() -> unit.repliesSwallowed() == 1);
      assertThat(received).contains("COMMIT");
      assertThat(other.hear(PATIENT_MS)).isEqualTo("COMMIT");
      assertThatThrownBy(() -> named.hear(IMPATIENT_MS)).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void shouldTurnOnlyNewConnectionsAwayWhenRefusing() throws IOException {
    // given
    try (Caller old = connected()) {
      unit.refuse();

      // when
      try (Caller caller = new Caller(unit.port())) {
        // then
        assertThat(caller.hear(PATIENT_MS)).isEmpty();
      }
      old.say("still here");
      assertThat(old.hear(PATIENT_MS)).isEqualTo("still here");
    }
    unit.heal();
    connected().close();
  }

  @Test
  void shouldCloseTheClientsSideWhenTheServerIsGone() throws Exception {
    // given
    try (Caller caller = connected()) {
      // when
      vertx.close().await(5, TimeUnit.SECONDS);

      // then
      assertThat(caller.hear(PATIENT_MS)).isEmpty();
    }
  }

  @Test
  void shouldHideThatTheServerHasClosedWhenParted() throws Exception {
    // given
    try (Caller caller = connected()) {
      unit.part();

      // when
      vertx.close().await(5, TimeUnit.SECONDS);

      // then
      assertThatThrownBy(() -> caller.hear(IMPATIENT_MS))
          .isInstanceOf(SocketTimeoutException.class);
      unit.heal();
      assertThat(caller.hear(PATIENT_MS)).isEmpty();
    }
  }

  private Caller connected() throws IOException {
    Caller caller = new Caller(unit.port());
    caller.say("connected");
    assertThat(caller.hear(PATIENT_MS)).isEqualTo("connected");
    return caller;
  }

  /** A blocking client. */
  private static final class Caller implements AutoCloseable {
    private static final int CHUNK_BYTES_MAX = 100;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Caller(int port) throws IOException {
      socket = new Socket("127.0.0.1", port);
      in = socket.getInputStream();
      out = socket.getOutputStream();
    }

    void say(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The next chunk; empty at the end of the connection. */
    String hear(int timeoutMs) throws IOException {
      socket.setSoTimeout(timeoutMs);
      byte[] chunk = new byte[CHUNK_BYTES_MAX];
      int length = in.read(chunk);
      return length < 0 ? "" : new String(chunk, 0, length, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
