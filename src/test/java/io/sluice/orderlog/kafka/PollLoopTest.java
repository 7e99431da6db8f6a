package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.orderlog.kafka.AssignedPartitions.PollPlan;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The loop on Kafka's mock consumer; each poll returns one record. */
class PollLoopTest {
  private static final String TOPIC = "orders";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);

  /** So long that it never ends during a test. */
  private static final Duration REST = Duration.ofHours(1);

  /** Without rests the loop would poll a thousand times in this time. */
  private static final Duration LOOK = Duration.ofMillis(300);

  private final Vertx vertx = Vertx.vertx();
  private final OneContext context = new OneContext(vertx);
  private final AtomicInteger polled = new AtomicInteger();
  private final CountDownLatch onePoll = new CountDownLatch(1);
  private final OneRecordEach consumer = new OneRecordEach();
  private PollLoop<String> unit;

  @BeforeEach
  void startPolling() {
    PollPacer pace = new PollPacer(() -> 0, REST, Duration.ZERO);
    context.run(() -> unit = new PollLoop<>(vertx, "poll", consumer, pace, new Counting()));
    context.await(() -> unit.start(() -> consumer.assign(Set.of(PARTITION))));
  }

  @AfterEach
  void stop() {
    context.await(unit::close);
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void shouldEndItsRestWhenSomebodyWaitsForAPoll() throws InterruptedException {
    // given
    int before = polledBeforeItRests();

    // when
    context.await(unit::afterNextPoll);

    // then
    assertThat(polled.get()).isGreaterThan(before);
  }

  @Test
  void shouldEndItsRestWhenARecordIsAboutToCome() throws InterruptedException {
    // given
    int before = polledBeforeItRests();

    // when
    context.run(unit::stir);

    // then
    await().untilAsserted(() -> assertThat(polled.get()).isGreaterThan(before));
  }

  /** Each poll brings something, so few are made; then none is for a while. */
  private int polledBeforeItRests() throws InterruptedException {
    assertThat(onePoll.await(30, TimeUnit.SECONDS)).isTrue();
    int before = polled.get();
    await().during(LOOK).untilAsserted(() -> assertThat(polled).hasValue(before));
    assertThat(before).isLessThanOrEqualTo(3);
    return before;
  }

  private static final class OneRecordEach extends MockConsumer<String, String> {
    private long offset;

    OneRecordEach() {
      super(OffsetResetStrategy.EARLIEST);
      updateBeginningOffsets(Map.of(PARTITION, 0L));
    }

    @Override
    public synchronized ConsumerRecords<String, String> poll(Duration timeout) {
      addRecord(new ConsumerRecord<>(TOPIC, 0, offset++, "key", "value"));
      return super.poll(timeout);
    }
  }

  private final class Counting implements PollLoop.Driver<String> {
    @Override
    public PollPlan plan(long poll) {
      return new PollPlan(Map.of(), Set.of(0));
    }

    @Override
    public void polled(long poll, PollLoop.Polled<String> result) {
      polled.incrementAndGet();
      onePoll.countDown();
    }

    @Override
    public boolean handled(long poll, Throwable failure) {
      throw new AssertionError(failure);
    }
  }
}
