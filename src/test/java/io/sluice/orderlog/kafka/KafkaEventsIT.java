package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaEventsIT {
  private record Heard(int partition, Event event) {}

  private final KafkaFixture kafka = new KafkaFixture();
  private final KafkaEventPublisher publisher = kafka.publisher();
  private final KafkaEventFeed feed = kafka.feed();
  private final List<Heard> heard = new CopyOnWriteArrayList<>();
  private final List<Integer> missed = new CopyOnWriteArrayList<>();
  private volatile Runnable whenHeard = () -> {};

  @AfterEach
  void close() {
    kafka.close();
  }

  @Test
  void shouldHearEventsInOrderPerPartitionWhenPublished() {
    // given
    start();
    List<Event> first = events("a", 300);
    List<Event> second = events("b", 300);

    // when
    kafka.await(() -> publisher.publish(2, first));
    kafka.await(() -> publisher.publish(1, second));
    kafka.await(() -> publisher.publish(2, second));

    // then
    await().untilAsserted(() -> assertThat(heard).hasSize(900));
    assertThat(heardIn(2))
        .startsWith(first.toArray(Event[]::new))
        .endsWith(second.toArray(Event[]::new));
    assertThat(heardIn(1)).isEqualTo(second);
  }

  @Test
  void shouldHearOnlyWhatComesAfterTheStart() {
    // given
    kafka.await(() -> publisher.publish(0, events("before", 10)));
    start();

    // when
    kafka.await(() -> publisher.publish(0, events("after", 1)));

    // then
    await().untilAsserted(() -> assertThat(heardIn(0)).isEqualTo(events("after", 1)));
  }

  @Test
  void shouldHearNothingOfWhoDoesNotHaveTheKeyOfTheLedger() {
    // given
    start();
    Event event = events("e", 1).get(0);

    // when
    forge(record -> {}, event);
    forge(new EventSeal(KafkaFixture.LEDGER, new byte[] {1})::addTo, event);
    forge(KafkaFixture.seal("9f9f")::addTo, event);
    kafka.await(() -> publisher.publish(0, events("after", 1)));

    // then
    await().untilAsserted(() -> assertThat(heardIn(0)).isEqualTo(events("after", 1)));
    assertThat(List.of("unsigned", "forged", "other_ledger"))
        .allSatisfy(reason -> assertThat(kafka.ignored(reason)).isEqualTo(1));
  }

  private void forge(Consumer<ProducerRecord<String, byte[]>> seal, Event event) {
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(
            kafka.config().eventsTopic(), 0, event.key(), event.payload().getBytes(UTF_8));
    record.headers().add(KafkaEventPublisher.TYPE_HEADER, event.type().getBytes(UTF_8));
    seal.accept(record);
    try (KafkaProducer<String, byte[]> other = stranger()) {
      other.send(record);
    }
  }

  @Test
  void shouldHearInEveryInstanceWhenThereAreSeveral() {
    // given
    List<Event> otherHeard = new CopyOnWriteArrayList<>();
    KafkaEventFeed other = kafka.feed();
    start();
    kafka.await(() -> other.start((partition, event) -> otherHeard.add(event)));

    // when
    kafka.await(() -> publisher.publish(3, events("e", 5)));

    // then
    await().untilAsserted(() -> assertThat(heardIn(3)).isEqualTo(events("e", 5)));
    await().untilAsserted(() -> assertThat(otherHeard).isEqualTo(events("e", 5)));
  }

  /** Its offset is of no event of the new topic. */
  @Test
  void shouldSayThatEventsMayBeMissedAndGoOnWhenTheTopicIsMadeAnew() throws Exception {
    // given
    start();
    kafka.await(() -> publisher.publish(2, events("before", 5)));
    await().untilAsserted(() -> assertThat(heardIn(2)).hasSize(5));

    // when
    makeTheTopicAnew();

    // then
    await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(missed).contains(2));
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              kafka.await(() -> publisher.publish(2, events("after", 1)));
              assertThat(heardIn(2)).endsWith(events("after", 1).get(0));
            });
  }

  private void makeTheTopicAnew() throws Exception {
    Admin admin = kafka.rawAdmin();
    String topic = kafka.config().eventsTopic();
    admin.deleteTopics(List.of(topic)).all().get(10, TimeUnit.SECONDS);
    await()
        .ignoreExceptions()
        .until(
            () -> {
              admin
                  .createTopics(List.of(new NewTopic(topic, KafkaFixture.PARTITIONS, (short) 1)))
                  .all()
                  .get(10, TimeUnit.SECONDS);
              return true;
            });
  }

  /** The reader's offset is then of an event of the new topic: those before it were skipped. */
  @Test
  void shouldSayThatEventsMayBeMissedWhenTheTopicMadeAnewHasMore() throws Exception {
    // given
    start();
    kafka.await(() -> publisher.publish(2, events("before", 5)));
    await().untilAsserted(() -> assertThat(heardIn(2)).hasSize(5));
    CountDownLatch stall = stall(2);

    // when
    try {
      makeTheTopicAnew();
      append(2, 10);
    } finally {
      stall.countDown();
    }

    // then
    await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(missed).contains(2));
    kafka.await(() -> publisher.publish(2, events("after", 1)));
    await().untilAsserted(() -> assertThat(heardIn(2)).endsWith(events("after", 1).get(0)));
  }

  /** Until it is counted down, nothing more is read. */
  private CountDownLatch stall(int partition) throws InterruptedException {
    CountDownLatch stall = new CountDownLatch(1);
    CountDownLatch stalled = new CountDownLatch(1);
    whenHeard =
        () -> {
          stalled.countDown();
          awaitUninterruptibly(stall);
        };
    // Not awaited: it may be heard, and stall the context, before the acknowledgement is told.
    kafka.begin(() -> publisher.publish(partition, events("stalling", 1)));
    assertThat(stalled.await(10, TimeUnit.SECONDS)).isTrue();
    whenHeard = () -> {};
    return stall;
  }

  private void append(int partition, int records) throws Exception {
    try (KafkaProducer<String, byte[]> other = stranger()) {
      for (int i = 0; i < records; i++) {
        other
            .send(
                new ProducerRecord<>(
                    kafka.config().eventsTopic(), partition, "key", "{}".getBytes(UTF_8)))
            .get(10, TimeUnit.SECONDS);
      }
    }
  }

  /** An instance that was suspended for longer than the retention. */
  @Test
  void shouldSayThatEventsMayBeMissedWhenTheyWereDeletedUnread() throws Exception {
    // given
    start();
    kafka.await(() -> publisher.publish(1, events("heard", 1)));
    await().untilAsserted(() -> assertThat(heardIn(1)).hasSize(1));
    CountDownLatch stall = stall(1);

    // when
    try {
      append(1, 10);
      kafka
          .rawAdmin()
          .deleteRecords(
              Map.of(
                  new TopicPartition(kafka.config().eventsTopic(), 1),
                  RecordsToDelete.beforeOffset(10)))
          .all()
          .get(10, TimeUnit.SECONDS);
    } finally {
      stall.countDown();
    }

    // then
    await().untilAsserted(() -> assertThat(missed).contains(1));
  }

  private static KafkaProducer<String, byte[]> stranger() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", KafkaFixture.broker().bootstrapServers()),
        new StringSerializer(),
        new ByteArraySerializer());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void shouldPassTheMarkersOfATransactionWithoutMissingAnything() {
    // given
    start();

    // when
    kafka.appendInATransaction(kafka.config().eventsTopic(), 2, new byte[] {1});
    kafka.await(() -> publisher.publish(2, events("after", 1)));

    // then
    await().untilAsserted(() -> assertThat(heardIn(2)).isEqualTo(events("after", 1)));
    assertThat(missed).isEmpty();
  }

  @Test
  void shouldCompleteWhenThereIsNothingToPublish() {
    // when
    kafka.await(() -> publisher.publish(0, List.of()));

    // then
    String topic = kafka.config().eventsTopic();
    assertThat(kafka.await(() -> kafka.admin().endOffset(topic, 0))).isZero();
  }

  @Test
  void shouldWriteDeadLettersToTheirOwnTopic() {
    // given
    start();
    TopicPartition dead = new TopicPartition(kafka.config().ordersTopic() + "-dead", 1);

    // when
    kafka.await(() -> publisher.deadLetter(1, List.of(new Event("DEAD", "k", "{\"raw\":1}"))));

    // then
    try (var reader =
        new KafkaConsumer<>(
            ClientSettings.feedConsumer(kafka.config()),
            new StringDeserializer(),
            new StringDeserializer())) {
      reader.assign(List.of(dead));
      reader.seek(dead, 0);
      await()
          .untilAsserted(
              () ->
                  assertThat(reader.poll(Duration.ofMillis(100)))
                      .extracting(ConsumerRecord::key, ConsumerRecord::value)
                      .containsExactly(tuple("k", "{\"raw\":1}")));
    }
    assertThat(heard).isEmpty();
  }

  private void start() {
    kafka.await(
        () ->
            feed.start(
                new EventListener() {
                  @Override
                  public void heard(int partition, Event event) {
                    heard.add(new Heard(partition, event));
                    whenHeard.run();
                  }

                  @Override
                  public void missed(int partition) {
                    missed.add(partition);
                  }
                }));
  }

  private List<Event> heardIn(int partition) {
    return heard.stream().filter(one -> one.partition() == partition).map(Heard::event).toList();
  }

  private static List<Event> events(String key, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Event("TYPE_" + i, key + i, "{\"type\":\"TYPE_%d\"}".formatted(i)))
        .toList();
  }
}
