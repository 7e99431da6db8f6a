package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.sluice.orderlog.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaEventsIT {
  private record Heard(int partition, Event event) {}

  private final KafkaFixture kafka = new KafkaFixture();
  private final KafkaEventPublisher publisher = kafka.publisher();
  private final KafkaEventFeed feed = kafka.feed();
  private final List<Heard> heard = new CopyOnWriteArrayList<>();

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
    kafka.await(() -> feed.start((partition, event) -> heard.add(new Heard(partition, event))));
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
