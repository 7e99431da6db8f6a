package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.LogUnavailableException.LogFullException;
import io.sluice.orderlog.kafka.BoundedProducer.Joining;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundedProducerTest {
  /** Of tests that wait for it. */
  private static final int SHORT_MS = 200;

  private static final int LONG_MS = 60_000;

  /** Values of up to 100 bytes, with commas between. */
  private static final Joining COMMAS =
      new Joining(
          100,
          values ->
              values.stream()
                  .map(value -> new String(value, UTF_8))
                  .collect(Collectors.joining(","))
                  .getBytes(UTF_8));

  private final Vertx vertx = Vertx.vertx();
  private final OneContext context = new OneContext(vertx);

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldAnswerWithTheOffsetWhenAcknowledged() {
    // given
    BoundedProducer unit = producer(GatedProducer.open(true), LONG_MS);

    // when
    List<Long> offsets =
        List.of(
            context.await(() -> unit.send(record("a"))),
            context.await(() -> unit.send(record("b"))));

    // then
    assertThat(offsets).containsExactly(0L, 1L);
    assertThat(unit.inFlight()).isZero();
  }

  @Test
  void shouldPutWhatOneTurnSendsIntoOneRecord() {
    // given
    GatedProducer raw = GatedProducer.open(true);
    BoundedProducer unit = producer(raw, LONG_MS);

    // when
    List<Long> offsets =
        context.await(
            () ->
                Future.all(unit.send(record("a")), unit.send(record("b")), unit.send(record("c")))
                    .map(all -> all.<Long>list()));

    // then
    assertThat(raw.sent()).containsExactly("a,b,c");
    assertThat(offsets).containsExactly(0L, 0L, 0L);
  }

  @Test
  void shouldKeepTheHeadersWhenSendsShareARecord() {
    // given
    GatedProducer raw = GatedProducer.open(true);
    BoundedProducer unit = producer(raw, LONG_MS);
    ProducerRecord<String, byte[]> first = record("a");
    first.headers().add("instance", "i-1".getBytes(UTF_8));

    // when
    context.await(() -> Future.all(unit.send(first), unit.send(record("b"))));

    // then
    assertThat(raw.history().get(0).headers().lastHeader("instance").value())
        .isEqualTo("i-1".getBytes(UTF_8));
  }

  @Test
  void shouldSendWithTheAckWhatWaitedForIt() {
    // given
    GatedProducer raw = GatedProducer.open(false);
    BoundedProducer unit = producer(raw, LONG_MS);
    fill(raw, unit);
    CompletableFuture<Long> behind = context.start(() -> unit.send(record("x")));
    List<String> before = raw.sent();

    // when
    raw.completeNext();
    await().until(() -> raw.sent().size() > before.size());

    // then
    assertThat(before).containsExactly("f0", "f1");
    assertThat(raw.sent()).containsExactly("f0", "f1", "x");
    assertThat(behind).isNotDone();
  }

  @Test
  void shouldNotSendWhatWasGivenUpWhenAnEarlierSendBlocks() throws Exception {
    // given
    GatedProducer raw = new GatedProducer(true);
    BoundedProducer unit = producer(raw, SHORT_MS);
    List<Future<Long>> sends = new ArrayList<>();
    context.run(() -> sends.add(unit.send(record("blocks"))));
    assertThat(raw.blocks.await(10, TimeUnit.SECONDS)).isTrue();
    context.run(() -> sends.add(unit.send(record("late"))));
    await().until(() -> sends.stream().allMatch(Future::failed));

    // when
    raw.gate.countDown();
    context.await(() -> unit.send(record("next")));

    // then
    assertThat(raw.sent()).containsExactly("blocks", "next");
    assertThat(unit.inFlight()).isZero();
  }

  /** The time that it waits here is a part of the time for its delivery. */
  @Test
  void shouldFailInTimeAndNeverBeSentWhenTheAcksBeforeItDoNotCome() {
    // given
    GatedProducer raw = GatedProducer.open(false);
    BoundedProducer unit = producer(raw, SHORT_MS);
    fill(raw, unit);

    // when
    assertThatThrownBy(() -> context.await(() -> unit.send(record("x"))))
        .isInstanceOf(LogUnavailableException.class);
    raw.completeNext();
    raw.completeNext();
    await().until(() -> unit.inFlight() == 0);

    // then
    assertThat(raw.sent()).containsExactly("f0", "f1");
  }

  @Test
  void shouldFailInTimeAndStillCountTheRecordWhenNoAckComes() {
    // given
    GatedProducer raw = GatedProducer.open(false);
    BoundedProducer unit = producer(raw, SHORT_MS);

    // when then
    assertThatThrownBy(() -> context.await(() -> unit.send(record("a"))))
        .isInstanceOf(LogUnavailableException.class)
        .isNotInstanceOf(LogFullException.class);
    assertThat(unit.inFlight()).as("the producer still holds it").isEqualTo(1);
    raw.completeNext();
    await().until(() -> unit.inFlight() == 0);
  }

  @Test
  void shouldFailWhenTheBrokerRefuses() {
    // given
    GatedProducer raw = GatedProducer.open(false);
    BoundedProducer unit = producer(raw, LONG_MS);
    List<Future<Long>> sends = new ArrayList<>();
    context.run(() -> sends.add(unit.send(record("a"))));

    // when
    await().until(() -> raw.errorNext(new NotEnoughReplicasException("too few")));

    // then
    await().until(() -> sends.get(0).failed());
    assertThat(sends.get(0).cause())
        .isInstanceOf(LogUnavailableException.class)
        .hasCauseInstanceOf(NotEnoughReplicasException.class);
  }

  @Test
  void shouldFailUnsentWhatWaitsBehindARecordThatFails() {
    // given
    GatedProducer raw = GatedProducer.open(false);
    BoundedProducer unit = producer(raw, LONG_MS);
    fill(raw, unit);
    CompletableFuture<Long> behind = context.start(() -> unit.send(record("x")));
    context.run(() -> {});

    // when
    raw.errorNext(new NotEnoughReplicasException("too few"));

    // then
    assertThatThrownBy(() -> behind.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(LogUnavailableException.class);
    assertThat(raw.sent()).containsExactly("f0", "f1");
    assertThat(unit.inFlight()).isEqualTo(1);
  }

  @Test
  void shouldRefuseAtOnceWhenTooManyBytesAreInFlight() {
    // given
    GatedProducer raw = new GatedProducer(true);
    BoundedProducer unit = producer(raw, LONG_MS);
    String half = "a".repeat((int) (BoundedProducer.BYTES_MAX / 2));
    List<Future<Long>> sends = new ArrayList<>();

    // when
    context.run(
        () -> {
          sends.add(unit.send(record(half)));
          sends.add(unit.send(record(half)));
          sends.add(unit.send(record("x")));
        });

    // then
    assertThat(sends.get(2).cause()).isInstanceOf(LogFullException.class);
    raw.gate.countDown();
    await().until(() -> unit.inFlight() == 0);
    assertThat(context.await(() -> unit.send(record(half)))).isNotNegative();
  }

  @Test
  void shouldTellOfRoomWhenARecordIsAcknowledged() throws Exception {
    // given
    GatedProducer raw = GatedProducer.open(false);
    BoundedProducer unit = producer(raw, LONG_MS);
    context.await(() -> unit.room(0));
    fill(raw, unit);
    CompletableFuture<Void> room = context.start(() -> unit.room(0));
    context.await(() -> unit.room(1));
    boolean early = room.isDone();

    // when
    raw.completeNext();

    // then
    assertThat(early).isFalse();
    room.get(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldWaitForWhatIsInFlightWhenClosedAndTakeNothingMore() throws Exception {
    // given
    GatedProducer raw = GatedProducer.open(false);
    BoundedProducer unit = producer(raw, LONG_MS);
    fill(raw, unit);
    CompletableFuture<Long> behind = context.start(() -> unit.send(record("x")));
    context.run(() -> {});

    // when
    CompletableFuture<Void> closed = context.start(unit::close);
    context.run(() -> {});
    Future<Long> refused = unit.send(record("y"));
    boolean early = closed.isDone();
    await()
        .until(
            () -> {
              raw.completeNext();
              return unit.inFlight() == 0;
            });

    // then
    assertThat(refused.cause()).isInstanceOf(LogUnavailableException.class);
    assertThat(early).isFalse();
    assertThat(behind.get(10, TimeUnit.SECONDS)).isEqualTo(2);
    closed.get(10, TimeUnit.SECONDS);
    assertThat(raw.closed()).isTrue();
  }

  /** As many records of partition 0 as may be in flight, each of its own. */
  private void fill(GatedProducer raw, BoundedProducer unit) {
    for (int i = 0; i < RecordGathering.RECORDS_MAX; i++) {
      ProducerRecord<String, byte[]> record = record("f" + i);
      int before = raw.sent().size();
      context.run(() -> unit.send(record));
      await().until(() -> raw.sent().size() == before + 1);
    }
  }

  private BoundedProducer producer(GatedProducer raw, int deliveryTimeoutMs) {
    return new BoundedProducer(vertx, raw, "orders", deliveryTimeoutMs, COMMAS);
  }

  private static ProducerRecord<String, byte[]> record(String value) {
    return new ProducerRecord<>("t", 0, null, value.getBytes(UTF_8));
  }
}
