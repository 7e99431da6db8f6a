package io.sluice.db;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.config.MysqlConfig;
import io.sluice.db.Database.PoolDecorator;
import io.sluice.metrics.Meters;
import io.sluice.monitor.Alarm;
import io.sluice.testkit.register.Raises;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that lets everybody in, and answers each text query by asking for a file. */
class RogueDatabaseTest {
  private static final int COM_QUERY = 0x03;
  private static final int HEADER = 4;
  private static final String SECRET = "canary-of-a-file-5d1e";

  @TempDir Path directory;
  private Path file;
  private Vertx vertx;
  private NetServer server;
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  @BeforeEach
  void start() throws Exception {
    file = Files.writeString(directory.resolve("secret"), SECRET);
    vertx = Vertx.vertx();
    server = vertx.createNetServer().connectHandler(this::serve);
    get(server.listen(0, "127.0.0.1"));
  }

  @AfterEach
  void stop() throws Exception {
    get(vertx.close());
  }

  @Test
  @Raises(Alarm.FILE_ASKED)
  void shouldNeitherSendNorMeasureAFileWhenTheMigrationsConnect() {
    // given
    long raised = Alarm.FILE_ASKED.raised();

    // when
    Throwable failure = failure(Migrations.run(vertx, config()));

    // then
    assertThat(failure).isNotNull().isNotInstanceOf(TimeoutException.class);
    assertThatNothingWasAnswered();
    assertThat(Alarm.FILE_ASKED.raised()).isGreaterThan(raised);
  }

  @Test
  void shouldNeitherSendNorMeasureAFileWhenAPoolConnects() {
    // given
    Database unit =
        Database.open(
            vertx, config(), new Meters(new SimpleMeterRegistry()), PoolDecorator.NONE, "all");

    // when
    Throwable failure =
        failure(
            unit.withSession(
                session ->
                    session.select(SqlStatement.LIST_SCHEMA_VERSIONS, Tuple.tuple(), row -> row)));

    // then
    assertThat(failure).isNotNull().isNotInstanceOf(TimeoutException.class);
    assertThatNothingWasAnswered();
  }

  /** Not even the length: an empty packet would say that there is no such file. */
  private void assertThatNothingWasAnswered() {
    assertThat(asked.get()).isPositive();
    await().atMost(5, TimeUnit.SECONDS).until(() -> closed.get() >= asked.get());
    assertThat(received).isEmpty();
  }

  private MysqlConfig config() {
    return new MysqlConfig(
        "mysql://sluice:sluice@127.0.0.1:%d/sluice".formatted(server.actualPort()),
        1,
        1,
        2_000,
        "disabled",
        "");
  }

  private void serve(NetSocket socket) {
    AtomicInteger packets = new AtomicInteger();
    AtomicInteger asksHere = new AtomicInteger();
    socket.closeHandler(gone -> closed.addAndGet(asksHere.get()));
    socket.handler(
        bytes -> {
          if (packets.getAndIncrement() == 0) {
            socket.write(packet(bytes.getByte(3) + 1, ok()));
          } else if (asksHere.get() > 0) {
            received.add(bytes.toString(ISO_8859_1));
          } else if (bytes.getByte(HEADER) == COM_QUERY) {
            asksHere.incrementAndGet();
            asked.incrementAndGet();
            Buffer request = Buffer.buffer().appendByte((byte) 0xFB);
            socket.write(packet(1, request.appendString(file.toString())));
          }
        });
    socket.write(packet(0, greeting()));
  }

  private static Buffer greeting() {
    return Buffer.buffer()
        .appendByte((byte) 10)
        .appendString("8.0.36\0")
        .appendIntLE(7)
        .appendString("12345678")
        .appendByte((byte) 0)
        .appendUnsignedShortLE(0xF7FF)
        .appendByte((byte) 45)
        .appendUnsignedShortLE(2)
        .appendUnsignedShortLE(0x00FF)
        .appendByte((byte) 21)
        .appendBytes(new byte[10])
        .appendString("123456789012\0")
        .appendString("mysql_native_password\0");
  }

  private static Buffer ok() {
    return Buffer.buffer().appendBytes(new byte[] {0, 0, 0, 2, 0, 0, 0});
  }

  private static Buffer packet(int sequence, Buffer payload) {
    return Buffer.buffer()
        .appendMediumLE(payload.length())
        .appendByte((byte) sequence)
        .appendBuffer(payload);
  }

  private static Throwable failure(Future<?> future) {
    try {
      get(future);
      return null;
    } catch (Exception failure) {
      return failure;
    }
  }

  private static void get(Future<?> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }
}
