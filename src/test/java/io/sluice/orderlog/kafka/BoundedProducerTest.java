package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.LogUnavailableException.LogFullException;
import io.sluice.orderlog.kafka.BoundedProducer.AwaitedProducer;
import io.sluice.orderlog.kafka.BoundedProducer.AwaitedRecord;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundedProducerTest {
  /** Of tests that wait for it. */
  private static final int SHORT_MS = 200;

  private static final int LONG_MS = 60_000;

  /**
   * As {@link AwaitedProducer}, but its sends block, as without metadata, until the gate is open.
   */
  private static final class GatedProducer extends MockProducer<String, byte[]> {
    final CountDownLatch gate = new CountDownLatch(1);

    GatedProducer(boolean acknowledges) {
      super(acknowledges, null, new StringSerializer(), new ByteArraySerializer());
    }

    @Override
    public java.util.concurrent.Future<RecordMetadata> send(
        ProducerRecord<String, byte[]> record, Callback callback) {
      AwaitedRecord.requireAwaited(record);
      try {
        assertThat(gate.await(10, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return super.send(record, callback);
    }
  }

  private final Vertx vertx = Vertx.vertx();
  private final OneContext context = new OneContext(vertx);

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldAnswerWithTheOffsetWhenAcknowledged() {
    // given
    GatedProducer raw = new GatedProducer(true);
    BoundedProducer unit = producer(raw, LONG_MS);
    raw.gate.countDown();

    // when
    List<Long> offsets =
        List.of(
            context.await(() -> unit.send(record(1))), context.await(() -> unit.send(record(1))));

    // then
    assertThat(offsets).containsExactly(0L, 1L);
    assertThat(unit.inFlight()).isZero();
  }

  @Test
  void shouldNotSendWhatWasGivenUpWhenAnEarlierSendBlocks() {
    // given
    GatedProducer raw = new GatedProducer(true);
    BoundedProducer unit = producer(raw, SHORT_MS);
    List<Future<Long>> sends = new ArrayList<>();
    context.run(
        () -> {
          sends.add(unit.send(record(1)));
          sends.add(unit.send(record(1)));
        });
    await().until(() -> sends.stream().allMatch(Future::failed));

    // when
    raw.gate.countDown();
    long offset = context.await(() -> unit.send(record(1)));

    // then
    assertThat(offset).as("only the blocked send was before it").isEqualTo(1);
    assertThat(raw.history()).hasSize(2);
    assertThat(unit.inFlight()).isZero();
  }

  @Test
  void shouldFailInTimeAndStillCountTheRecordWhenNoAckComes() {
    // given
    GatedProducer raw = new GatedProducer(false);
    BoundedProducer unit = producer(raw, SHORT_MS);
    raw.gate.countDown();

    // when then
    assertThatThrownBy(() -> context.await(() -> unit.send(record(1))))
        .isInstanceOf(LogUnavailableException.class)
        .isNotInstanceOf(LogFullException.class);
    assertThat(unit.inFlight()).as("the producer still holds it").isEqualTo(1);
    raw.completeNext();
    await().until(() -> unit.inFlight() == 0);
  }

  @Test
  void shouldFailWhenTheBrokerRefuses() {
    // given
    GatedProducer raw = new GatedProducer(false);
    BoundedProducer unit = producer(raw, LONG_MS);
    raw.gate.countDown();
    List<Future<Long>> sends = new ArrayList<>();
    context.run(() -> sends.add(unit.send(record(1))));

    // when
    await().until(() -> raw.errorNext(new NotEnoughReplicasException("too few")));

    // then
    await().until(() -> sends.get(0).failed());
    assertThat(sends.get(0).cause())
        .isInstanceOf(LogUnavailableException.class)
        .hasCauseInstanceOf(NotEnoughReplicasException.class);
  }

  @Test
  void shouldRefuseAtOnceWhenTooManyBytesAreInFlight() {
    // given
    GatedProducer raw = new GatedProducer(true);
    BoundedProducer unit = producer(raw, LONG_MS);
    int half = (int) (BoundedProducer.BYTES_IN_FLIGHT_MAX / 2);
    List<Future<Long>> sends = new ArrayList<>();

    // when
    context.run(
        () -> {
          sends.add(unit.send(record(half)));
          sends.add(unit.send(record(half)));
          sends.add(unit.send(record(1)));
        });

    // then
    assertThat(sends.get(2).cause()).isInstanceOf(LogFullException.class);
    raw.gate.countDown();
    await().until(() -> unit.inFlight() == 0);
    assertThat(context.await(() -> unit.send(record(half)))).isNotNegative();
  }

  /** Nothing listens at its address: what it did not refuse would wait for metadata. */
  @Test
  void shouldRefuseARecordWhenItsSenderHasGivenUp() {
    // given
    AwaitedRecord record = record(1);
    record.giveUp();
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            "127.0.0.1:1",
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            10);
    AwaitedProducer raw = new AwaitedProducer(settings);
    try {
      // when then
      assertThatThrownBy(() -> raw.send(record))
          .isInstanceOf(TimeoutException.class)
          .hasMessage("Expected a sender that waits, but it has given up");
    } finally {
      raw.close(Duration.ZERO);
    }
  }

  private BoundedProducer producer(GatedProducer raw, int deliveryTimeoutMs) {
    return new BoundedProducer(vertx, raw, deliveryTimeoutMs);
  }

  private static AwaitedRecord record(int size) {
    return new AwaitedRecord("t", 0, null, new byte[size]);
  }
}
