package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.async.ContextDispatcher;
import io.sluice.config.KafkaConfig;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventFeed;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers every event that is published after its start. If its offset is no longer in the topic,
 * or a partition's end could not be read at the start, it continues at the current end. Callers
 * that need missed events read the ledger.
 */
public final class KafkaEventFeed implements EventFeed {
  private static final Logger log = LoggerFactory.getLogger(KafkaEventFeed.class);

  private final Vertx vertx;
  private final KafkaConfig config;
  private final KafkaAdmin admin;
  private @Nullable volatile ContextDispatcher home;
  private @Nullable volatile PollLoop<byte[]> loop;
  private volatile boolean closed;

  /** The topic must exist: {@link KafkaTopics#ensure}. */
  public KafkaEventFeed(Vertx vertx, KafkaConfig config, KafkaAdmin admin) {
    this.vertx = vertx;
    this.config = config;
    this.admin = admin;
  }

  @Override
  public Future<Void> start(Listener listener) {
    if (home != null) {
      return Future.failedFuture(new IllegalStateException("Expected one start, but got another"));
    }
    home = ContextDispatcher.here(vertx);
    return admin
        .endOffsets(config.eventsTopic(), config.partitions())
        .compose(
            ends -> vertx.executeBlocking(this::connect).compose(raw -> read(raw, ends, listener)));
  }

  private KafkaConsumer<String, byte[]> connect() {
    return new KafkaConsumer<>(
        ClientSettings.feedConsumer(config), new StringDeserializer(), new ByteArrayDeserializer());
  }

  private Future<Void> read(
      KafkaConsumer<String, byte[]> consumer, Map<Integer, Long> ends, Listener listener) {
    if (closed) {
      consumer.close();
      return Future.failedFuture(new IllegalStateException("Expected to start, but got closed"));
    }
    String topic = config.eventsTopic();
    Set<Integer> all =
        IntStream.range(0, config.partitions()).boxed().collect(Collectors.toUnmodifiableSet());
    List<TopicPartition> assigned =
        all.stream().map(partition -> new TopicPartition(topic, partition)).toList();
    PollLoop<byte[]> polling =
        new PollLoop<>(
            vertx,
            "sluice-events-poll",
            consumer,
            PollPacer.ofEvents(),
            new Reader(ends, all, listener, new PollFaults(topic)));
    loop = polling;
    return polling.start(() -> consumer.assign(assigned));
  }

  @Override
  public Future<Void> close() {
    closed = true;
    PollLoop<byte[]> polling = loop;
    ContextDispatcher here = home;
    return polling == null || here == null ? Future.succeededFuture() : here.call(polling::close);
  }

  /** Starts at the end offsets of the start, and never pauses. */
  private record Reader(
      Map<Integer, Long> ends, Set<Integer> all, Listener listener, PollFaults faults)
      implements PollLoop.Driver<byte[]> {

    @Override
    public PollPlan plan(long poll) {
      return new PollPlan(poll == 1 ? ends : Map.of(), all);
    }

    @Override
    public void polled(long poll, PollLoop.Polled<byte[]> polled) {
      faults.polled(polled.records());
      for (ConsumerRecord<String, byte[]> record : polled.records()) {
        Header type = record.headers().lastHeader(KafkaEventPublisher.TYPE_HEADER);
        if (type != null && record.key() != null && record.value() != null) {
          hear(
              record.partition(),
              new Event(text(type.value()), record.key(), text(record.value()))
                  .heardFrom(InstanceHeader.in(record.headers())));
        }
      }
    }

    private void hear(int partition, Event event) {
      try {
        listener.heard(partition, event);
      } catch (RuntimeException bug) {
        log.atError()
            .setCause(bug)
            .addKeyValue("type", event.type())
            .log("listener failed on an event; it is skipped");
      }
    }

    private static String text(byte[] bytes) {
      return new String(bytes, UTF_8);
    }

    @Override
    public boolean handled(long poll, Throwable failure) {
      faults.failed(failure);
      return false;
    }
  }
}
