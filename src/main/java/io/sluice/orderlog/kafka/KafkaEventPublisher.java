package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.async.AsyncLoop;
import io.sluice.config.KafkaConfig;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.EventPublisher.PartlyPublishedException;
import io.sluice.orderlog.LogUnavailableException.LogFullException;
import io.sluice.orderlog.kafka.BoundedProducer.Joining;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Publishes events and dead letters to their topics, with the event type as a record header. Each
 * topic has its own producer: a send waits for the metadata of a missing topic, and so do all later
 * sends of that producer.
 */
public final class KafkaEventPublisher implements EventPublisher {
  /** The record header with the event's type, so that listeners can filter without parsing. */
  static final String TYPE_HEADER = "type";

  /** The record header with the span that published the event, as W3C Trace Context has it. */
  static final String TRACE_HEADER = "traceparent";

  private final BoundedProducer producer;
  private final BoundedProducer deadProducer;
  private final InstanceName instance;
  private final EventSeal seal;
  private final String eventsTopic;
  private final String deadTopic;

  KafkaEventPublisher(
      BoundedProducer producer,
      BoundedProducer deadProducer,
      KafkaConfig config,
      String instanceId,
      EventSeal seal) {
    this.instance = new InstanceName(instanceId);
    this.seal = seal;
    this.producer = producer;
    this.deadProducer = deadProducer;
    this.eventsTopic = config.eventsTopic();
    this.deadTopic = KafkaTopics.deadLetters(config);
  }

  /**
   * The topics must exist: {@link KafkaTopics#ensure}.
   *
   * @param instanceId of this instance, which heartbeats carry
   * @param seal with which events are signed
   */
  public static Future<KafkaEventPublisher> open(
      Vertx vertx, KafkaConfig config, String instanceId, EventSeal seal) {
    return BoundedProducer.open(vertx, config, config.eventsTopic(), Joining.NONE)
        .compose(
            producer ->
                BoundedProducer.open(vertx, config, KafkaTopics.deadLetters(config), Joining.NONE)
                    .map(dead -> new KafkaEventPublisher(producer, dead, config, instanceId, seal))
                    .recover(
                        failure ->
                            producer.close().transform(closed -> Future.failedFuture(failure))));
  }

  /**
   * An event is sent once the one of the same key before it is acknowledged. If both were in flight
   * and only the first failed, listeners would get the second one first.
   */
  @Override
  public Future<Void> publish(int partition, List<Event> events) {
    Sending sending =
        new Sending(producer, instance, seal, eventsTopic, partition, events, new BitSet());
    return AsyncLoop.forEach(onePerKey(events), sending::send).recover(sending::failed);
  }

  /** The first event of each key, then the second of those that have two, and so on; by index. */
  private static List<List<Integer>> onePerKey(List<Event> events) {
    List<List<Integer>> parts = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    for (int index = 0; index < events.size(); index++) {
      int part = seen.merge(events.get(index).key(), 1, Integer::sum) - 1;
      if (part == parts.size()) {
        parts.add(new ArrayList<>());
      }
      parts.get(part).add(index);
    }
    return parts;
  }

  @Override
  public Future<Void> deadLetter(int partition, List<Event> letters) {
    Sending sending =
        new Sending(deadProducer, instance, seal, deadTopic, partition, letters, new BitSet());
    return sending
        .send(IntStream.range(0, letters.size()).boxed().toList())
        .recover(sending::failed);
  }

  /**
   * One call.
   *
   * @param acknowledged the events that are, by index
   */
  private record Sending(
      BoundedProducer to,
      InstanceName instance,
      EventSeal seal,
      String topic,
      int partition,
      List<Event> events,
      BitSet acknowledged) {

    /**
     * Sends as many of these at once as the producer accepts, and the rest after their acks, or, if
     * other partitions' events fill it, once it has room again. Waits for all, even if one fails,
     * so that a retry comes after everything that was sent before.
     */
    Future<Void> send(List<Integer> some) {
      AtomicInteger sent = new AtomicInteger();
      return AsyncLoop.whileTrue(
          () -> {
            List<Future<Long>> acks = sendSome(some.subList(sent.get(), some.size()));
            int next = sent.addAndGet(acks.size());
            return (acks.isEmpty() ? to.capacity() : Future.join(acks))
                .map(done -> next < some.size());
          });
    }

    /** Sends as many as the producer accepts. */
    private List<Future<Long>> sendSome(List<Integer> some) {
      List<Future<Long>> acks = new ArrayList<>(some.size());
      for (int index : some) {
        Future<Long> ack = to.send(record(events.get(index)));
        if (ack.cause() instanceof LogFullException) {
          break;
        }
        acks.add(ack.onSuccess(offset -> acknowledged.set(index)));
      }
      return acks;
    }

    private ProducerRecord<String, byte[]> record(Event event) {
      ProducerRecord<String, byte[]> record =
          new ProducerRecord<>(topic, partition, event.key(), event.payload().getBytes(UTF_8));
      record.headers().add(TYPE_HEADER, event.type().getBytes(UTF_8));
      if (event.type().equals(Event.HEARTBEAT)) {
        instance.addTo(record.headers());
      }
      seal.addTo(record);
      String traceparent = event.traceparent();
      if (traceparent != null) {
        record.headers().add(TRACE_HEADER, traceparent.getBytes(UTF_8));
      }
      return record;
    }

    Future<Void> failed(Throwable cause) {
      return Future.failedFuture(new PartlyPublishedException(acknowledged, cause));
    }
  }

  public Future<Void> close() {
    return Future.join(producer.close(), deadProducer.close()).mapEmpty();
  }
}
