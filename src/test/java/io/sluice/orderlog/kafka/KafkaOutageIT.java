package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.model.Command;
import io.sluice.orderlog.Commands;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPages.Found.Page;
import io.sluice.orderlog.HeardPartitions;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.testkit.kafka.KafkaBackend;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The broker is killed and restarted while callers write and read. */
class KafkaOutageIT {
  private static final int APPEND_EVERY_MS = 2;

  /** Margin for a busy machine to run a time-out that is due; the outage takes much longer. */
  private static final long SLACK_MS = 3_000;

  private record Acked(int partition, long offset, Command command) {}

  private final KafkaFixture kafka = new KafkaFixture();
  private final HeardPartitions heard = new HeardPartitions();
  private final List<Acked> acked = new CopyOnWriteArrayList<>();
  private final List<Long> failedAfterMs = new CopyOnWriteArrayList<>();
  private final KafkaBackend broker = KafkaFixture.broker();
  private int appends;
  private int open;

  @BeforeEach
  void requireKillable() {
    Assumptions.assumeTrue(broker.killable());
  }

  @AfterEach
  void close() {
    kafka.close();
  }

  @Test
  void shouldLoseNothingAcknowledgedWhenTheBrokerIsKilled() {
    // given
    KafkaOrderLog log = kafka.log();
    readAll();
    long timer = startAppending(log);
    await().until(() -> acked.size() >= 200);

    // when
    broker.kill();
    await().until(() -> failedAfterMs.size() >= 50);
    broker.start();
    int before = acked.size();
    await().atMost(Duration.ofSeconds(20)).until(() -> acked.size() >= before + 200);
    kafka.vertx().cancelTimer(timer);
    await().until(() -> call(() -> open) == 0);

    // then
    assertThat(failedAfterMs).allMatch(ms -> ms <= KafkaFixture.DELIVERY_TIMEOUT_MS + SLACK_MS);
    for (int partition = 0; partition < KafkaFixture.PARTITIONS; partition++) {
      assertThatAllIsHeard(partition);
    }
  }

  @Test
  void shouldHearEventsInOrderWhenTheBrokerWasKilled() {
    // given
    KafkaEventPublisher publisher = kafka.publisher();
    KafkaEventFeed feed = kafka.feed();
    List<String> keys = new CopyOnWriteArrayList<>();
    kafka.await(() -> feed.start((partition, event) -> keys.add(event.key())));
    kafka.await(() -> publisher.publish(1, events(0, 10)));
    await().untilAsserted(() -> assertThat(keys).hasSize(10));

    // when
    broker.kill();
    Throwable whileDown = kafka.await(() -> outcome(publisher.publish(1, events(10, 20))));
    broker.start();
    await().until(() -> kafka.await(() -> outcome(publisher.publish(1, events(10, 20)))) == null);

    // then
    assertThat(whileDown).isInstanceOf(LogUnavailableException.class);
    List<String> last = events(10, 20).stream().map(Event::key).toList();
    await().untilAsserted(() -> assertThat(keys).endsWith(last.toArray(String[]::new)));
    assertThat(keys.subList(0, 10)).isEqualTo(events(0, 10).stream().map(Event::key).toList());
  }

  @Test
  void shouldFailInTimeAndThenReadOnWhenAPageIsAskedForMeanwhile() {
    // given
    KafkaEventPublisher publisher = kafka.publisher();
    KafkaEventPages pages = kafka.pages();
    kafka.await(() -> publisher.publish(1, events(0, 10)));
    Page before = (Page) kafka.await(() -> pages.after("0", 4, false));

    // when
    broker.kill();
    Throwable whileDown =
        kafka.await(() -> outcome(pages.after(before.next(), 100, false).mapEmpty()));
    broker.start();
    await().until(() -> kafka.await(() -> outcome(publisher.publish(1, events(10, 20)))) == null);
    List<String> read = new ArrayList<>(before.events());
    AtomicReference<String> cursor = new AtomicReference<>(before.next());
    await()
        .ignoreExceptions()
        .until(
            () -> {
              Page page = (Page) kafka.await(() -> pages.after(cursor.get(), 4, false));
              read.addAll(page.events());
              cursor.set(page.next());
              return read.size() >= 20;
            });

    // then
    assertThat(whileDown).isInstanceOf(LogUnavailableException.class);
    assertThat(read.stream().distinct())
        .containsExactlyElementsOf(events(0, 20).stream().map(Event::payload).toList());
  }

  private void readAll() {
    KafkaOrderLogConsumer consumer = kafka.consumer();
    kafka.await(() -> consumer.start(heard));
    await().untilAsserted(() -> assertThat(heard.assigned()).hasSize(KafkaFixture.PARTITIONS));
    for (int partition : Set.copyOf(heard.assigned())) {
      kafka.await(() -> consumer.startAt(partition, 0));
    }
  }

  private long startAppending(KafkaOrderLog log) {
    return call(() -> kafka.vertx().setPeriodic(APPEND_EVERY_MS, id -> append(log)));
  }

  private void append(KafkaOrderLog log) {
    int partition = appends % KafkaFixture.PARTITIONS;
    Command command = Commands.confirm("buyer" + appends);
    appends++;
    open++;
    long begin = System.nanoTime();
    log.append(partition, List.of(command))
        .onComplete(
            (offset, failure) -> {
              open--;
              if (failure == null) {
                acked.add(new Acked(partition, offset, command));
              } else {
                failedAfterMs.add(Duration.ofNanos(System.nanoTime() - begin).toMillis());
              }
            });
  }

  private void assertThatAllIsHeard(int partition) {
    long end = kafka.await(() -> kafka.admin().endOffset(kafka.config().ordersTopic(), partition));
    List<Long> all = LongStream.range(0, end).boxed().toList();
    await().untilAsserted(() -> assertThat(heard.offsets(partition)).isEqualTo(all));
    assertThat(acked)
        .filteredOn(one -> one.partition() == partition)
        .isNotEmpty()
        .allSatisfy(
            one -> assertThat(heard.commandsAt(partition, one.offset())).contains(one.command()));
  }

  private <T> T call(Supplier<T> question) {
    return kafka.await(() -> Future.succeededFuture(question.get()));
  }

  private static Future<Throwable> outcome(Future<Void> call) {
    return call.transform(done -> Future.succeededFuture(done.cause()));
  }

  private static List<Event> events(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> new Event("TYPE", "key" + i, "{\"no\":" + i + "}"))
        .toList();
  }
}
