package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.async.AsyncLoop;
import io.sluice.config.KafkaConfig;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.LogFullException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Publishes events and dead letters to their topics, with the event type as a record header. Each
 * topic has its own producer: a send waits for the metadata of a missing topic, and so do all later
 * sends of that producer.
 */
public final class KafkaEventPublisher implements EventPublisher {
  /** The record header with the event's type, so that listeners can filter without parsing. */
  static final String TYPE_HEADER = "type";

  private final BoundedProducer producer;
  private final BoundedProducer deadProducer;
  private final String eventsTopic;
  private final String deadTopic;

  KafkaEventPublisher(BoundedProducer producer, BoundedProducer deadProducer, KafkaConfig config) {
    this.producer = producer;
    this.deadProducer = deadProducer;
    this.eventsTopic = config.eventsTopic();
    this.deadTopic = KafkaTopics.deadLetters(config);
  }

  /** The topics must exist: {@link KafkaTopics#ensure}. */
  public static Future<KafkaEventPublisher> open(Vertx vertx, KafkaConfig config) {
    return BoundedProducer.open(vertx, config, List.of(config.eventsTopic()))
        .compose(
            producer ->
                BoundedProducer.open(vertx, config, List.of(KafkaTopics.deadLetters(config)))
                    .map(dead -> new KafkaEventPublisher(producer, dead, config))
                    .recover(
                        failure ->
                            producer.close().transform(closed -> Future.failedFuture(failure))));
  }

  /**
   * An event is sent once the one of the same key before it is acknowledged: if both were in flight
   * and only the first failed, listeners would get the second one first.
   */
  @Override
  public Future<Void> publish(int partition, List<Event> events) {
    return AsyncLoop.forEach(
        onePerKey(events), some -> send(producer, eventsTopic, partition, some));
  }

  /** The first event of each key, then the second of those that have two, and so on. */
  private static List<List<Event>> onePerKey(List<Event> events) {
    List<List<Event>> parts = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    for (Event event : events) {
      int part = seen.merge(event.key(), 1, Integer::sum) - 1;
      if (part == parts.size()) {
        parts.add(new ArrayList<>());
      }
      parts.get(part).add(event);
    }
    return parts;
  }

  @Override
  public Future<Void> deadLetter(int partition, List<Event> letters) {
    return send(deadProducer, deadTopic, partition, letters);
  }

  /**
   * Sends as many records at once as the producer accepts, and the rest after their acks. Waits for
   * all, even where one fails, so that a retry comes after everything that was sent before.
   */
  private static Future<Void> send(
      BoundedProducer to, String topic, int partition, List<Event> events) {
    AtomicInteger sent = new AtomicInteger();
    return AsyncLoop.whileTrue(
        () -> {
          List<Future<Long>> acks =
              sendSome(to, topic, partition, events.subList(sent.get(), events.size()));
          int next = sent.addAndGet(acks.size());
          return Future.join(acks).map(done -> next < events.size());
        });
  }

  /** Sends as many as the producer accepts; where it accepts none, the first fails. */
  private static List<Future<Long>> sendSome(
      BoundedProducer to, String topic, int partition, List<Event> events) {
    List<Future<Long>> acks = new ArrayList<>(events.size());
    for (Event event : events) {
      Future<Long> ack = to.send(record(topic, partition, event));
      if (ack.cause() instanceof LogFullException && !acks.isEmpty()) {
        break;
      }
      acks.add(ack);
    }
    return acks;
  }

  private static AwaitedRecord record(String topic, int partition, Event event) {
    AwaitedRecord record =
        new AwaitedRecord(topic, partition, event.key(), event.payload().getBytes(UTF_8));
    record.headers().add(TYPE_HEADER, event.type().getBytes(UTF_8));
    return record;
  }

  public Future<Void> close() {
    return Future.join(producer.close(), deadProducer.close()).mapEmpty();
  }
}
