package io.sluice.orderlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.config.KafkaConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/** Writes events and dead letters to their topics; the type travels as a header. */
public final class KafkaEventPublisher implements EventPublisher {
  /** The record header that names the event's type, so that listeners need not parse to choose. */
  static final String TYPE_HEADER = "type";

  private final BoundedProducer producer;
  private final String eventsTopic;
  private final String deadTopic;

  KafkaEventPublisher(BoundedProducer producer, KafkaConfig config) {
    this.producer = producer;
    this.eventsTopic = config.eventsTopic();
    this.deadTopic = KafkaTopics.deadLetters(config);
  }

  /** Expects the topics to be there: {@link KafkaTopics#ensure}. */
  public static Future<KafkaEventPublisher> open(Vertx vertx, KafkaConfig config) {
    return BoundedProducer.open(
            vertx, config, List.of(config.eventsTopic(), KafkaTopics.deadLetters(config)))
        .map(producer -> new KafkaEventPublisher(producer, config));
  }

  @Override
  public Future<Void> publish(int partition, List<Event> events) {
    return send(eventsTopic, partition, events);
  }

  @Override
  public Future<Void> deadLetter(int partition, List<Event> letters) {
    return send(deadTopic, partition, letters);
  }

  /**
   * Sends as many at once as the producer takes, and the rest after their acks. Waits for all, also
   * where one fails: a repetition then comes after whatever was sent before.
   */
  private Future<Void> send(String topic, int partition, List<Event> events) {
    List<Future<Long>> acks = new ArrayList<>(events.size());
    for (Event event : events) {
      Future<Long> ack = producer.send(record(topic, partition, event));
      if (ack.cause() instanceof LogFullException && !acks.isEmpty()) {
        List<Event> rest = events.subList(acks.size(), events.size());
        return Future.join(acks).compose(sent -> send(topic, partition, rest));
      }
      acks.add(ack);
    }
    return Future.join(acks).mapEmpty();
  }

  private static AwaitedRecord record(String topic, int partition, Event event) {
    AwaitedRecord record =
        new AwaitedRecord(topic, partition, event.key(), event.payload().getBytes(UTF_8));
    record.headers().add(TYPE_HEADER, event.type().getBytes(UTF_8));
    return record;
  }

  public Future<Void> close() {
    return producer.close();
  }
}
