package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.async.ContextDispatcher;
import io.sluice.config.KafkaConfig;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventListener;
import io.sluice.orderlog.kafka.AssignedPartitions.PollPlan;
import io.sluice.orderlog.kafka.EventSeal.Author;
import io.sluice.orderlog.kafka.PollLoop.PollFaults;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers every event that is published after its start. It goes on at the current end if its
 * offset is no longer in the topic, or the topic is another one. The same if a partition's end
 * could not be read at the start. It then says that events may have been missed.
 */
public final class KafkaEventFeed {
  private static final Logger log = LoggerFactory.getLogger(KafkaEventFeed.class);

  private static final int LOOK_AGAIN_MS = 500;

  /** The time between two looks at whether it is still the same topic. */
  private static final int LOOK_EVERY_MS = 1_000;

  private final Vertx vertx;
  private final KafkaConfig config;
  private final KafkaAdmin admin;
  private final EventSeal seal;
  private final SealWatch check;
  private @Nullable volatile ContextDispatcher home;
  private @Nullable volatile PollLoop<byte[]> loop;
  private volatile boolean closed;

  /**
   * The topic must exist: {@link KafkaTopics#ensure}.
   *
   * @param seal of this ledger
   * @param check receives the events that are not signed by it
   */
  public KafkaEventFeed(
      Vertx vertx, KafkaConfig config, KafkaAdmin admin, EventSeal seal, SealWatch check) {
    this.vertx = vertx;
    this.config = config;
    this.admin = admin;
    this.seal = seal;
    this.check = check;
  }

  public Future<Void> start(EventListener listener) {
    if (home != null) {
      return Future.failedFuture(new IllegalStateException("Expected one start, but got another"));
    }
    home = ContextDispatcher.here(vertx);
    Reader reader = new Reader(config.eventsTopic(), listener);
    // The topic before its ends: if it is made anew in between, the next look finds another one.
    return reader
        .look()
        .transform(
            seen ->
                seen.failed()
                    ? Future.succeededFuture(Map.<Integer, Long>of())
                    : admin.endOffsets(config.eventsTopic(), config.partitions()))
        .compose(
            ends -> vertx.executeBlocking(this::connect).compose(raw -> read(raw, ends, reader)));
  }

  private KafkaConsumer<String, byte[]> connect() {
    return new KafkaConsumer<>(
        ClientSettings.feedConsumer(config), new StringDeserializer(), new ByteArrayDeserializer());
  }

  private Future<Void> read(
      KafkaConsumer<String, byte[]> consumer, Map<Integer, Long> ends, Reader reader) {
    if (closed) {
      consumer.close();
      return Future.failedFuture(new IllegalStateException("Expected to start, but got closed"));
    }
    String topic = config.eventsTopic();
    List<TopicPartition> all =
        IntStream.range(0, config.partitions())
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList();
    PollLoop<byte[]> polling =
        new PollLoop<>(vertx, "sluice-events-poll", consumer, PollPacer.ofEvents(), reader);
    loop = polling;
    all.forEach(each -> reader.begin(each.partition(), ends.get(each.partition())));
    reader.lookLater();
    return polling.start(
        () -> {
          consumer.assign(all);
          // A partition without any position would fail each poll, also of the others.
          all.forEach(each -> consumer.seek(each, 0));
        });
  }

  public Future<Void> close() {
    closed = true;
    PollLoop<byte[]> polling = loop;
    ContextDispatcher here = home;
    return polling == null || here == null ? Future.succeededFuture() : here.call(polling::close);
  }

  /**
   * Reads each partition from its end, and from its end of that time if it cannot be read on. Used
   * on the home context.
   */
  private final class Reader implements PollLoop.Driver<byte[]> {
    private final String topic;
    private final EventListener listener;
    private final PollFaults faults;
    private final Set<Integer> running = new HashSet<>();
    private Map<Integer, Long> seeks = new HashMap<>();
    private @Nullable Uuid topicId;

    Reader(String topic, EventListener listener) {
      this.topic = topic;
      this.listener = listener;
      this.faults = new PollFaults(topic);
    }

    /** Looks which topic it is now; false if it is the same as in the last look. */
    Future<Boolean> look() {
      return admin
          .describe(List.of(topic))
          .map(
              found -> {
                Uuid before = topicId;
                TopicDescription now = found.get(topic);
                topicId = now == null ? before : now.topicId();
                return !Objects.equals(before, topicId);
              });
    }

    void lookLater() {
      vertx
          .timer(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)
          .compose(now -> closed ? Future.succeededFuture(false) : look())
          .onComplete(
              (isOther, unknown) -> {
                if (!closed) {
                  if (isOther != null && isOther) {
                    beginAllLater();
                  }
                  lookLater();
                }
              });
    }

    /**
     * An offset of the topic before may be of an event of this one, too. Later: each broker must
     * know that it is another one.
     */
    private void beginAllLater() {
      running.clear();
      IntStream.range(0, config.partitions()).forEach(this::beginLater);
    }

    void begin(int partition, @Nullable Long end) {
      if (end == null) {
        beginLater(partition);
      } else {
        seeks.put(partition, end);
        running.add(partition);
      }
    }

    /**
     * Rows that are read from the ledger from now on are newer than the events that were missed.
     */
    private void beginAnew(int partition) {
      running.remove(partition);
      admin
          .endOffset(topic, partition)
          .onSuccess(
              end -> {
                begin(partition, end);
                miss(partition);
                wake();
              })
          .onFailure(unknown -> beginLater(partition));
    }

    private void beginLater(int partition) {
      vertx
          .timer(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS)
          .onSuccess(
              now -> {
                if (!closed) {
                  beginAnew(partition);
                }
              });
    }

    private void miss(int partition) {
      log.atWarn()
          .addKeyValue("partition", partition)
          .log("events may have been missed; orders known from events are read from the ledger");
      listener.missed(partition);
    }

    @Override
    public PollPlan plan(long poll) {
      Map<Integer, Long> due = seeks;
      seeks = new HashMap<>();
      return new PollPlan(due, Set.copyOf(running));
    }

    @Override
    public void polled(long poll, PollLoop.Polled<byte[]> polled) {
      faults.polled(polled.records());
      for (ConsumerRecord<String, byte[]> record : polled.records()) {
        Event event = eventIn(record);
        if (event != null && isOurs(record)) {
          hear(record.partition(), event);
        }
      }
    }

    private boolean isOurs(ConsumerRecord<String, byte[]> record) {
      Author author = seal.authorOf(record);
      switch (author) {
        case OURS -> {}
        case UNSIGNED, FORGED -> check.ignored(author == Author.FORGED);
        case OTHER_LEDGER ->
            check.otherLedger(String.valueOf(EventSeal.ledgerOf(record.headers())));
      }
      return author == Author.OURS;
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

    /** The offset is of no event: the topic is another one, or what was not read was deleted. */
    @Override
    public boolean handled(long poll, Throwable failure) {
      if (failure instanceof OffsetOutOfRangeException gone) {
        gone.partitions().stream()
            .map(TopicPartition::partition)
            .filter(running::contains)
            .forEach(this::beginAnew);
        return true;
      }
      faults.failed(failure);
      return false;
    }
  }

  /** The event that a record may be, whoever has written it; null if it is none. */
  static @Nullable Event eventIn(ConsumerRecord<String, byte[]> record) {
    Header type = record.headers().lastHeader(KafkaEventPublisher.TYPE_HEADER);
    return type == null || type.value() == null || record.key() == null || record.value() == null
        ? null
        : new Event(text(type.value()), record.key(), text(record.value()))
            .heardFrom(InstanceName.in(record.headers()));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  private void wake() {
    PollLoop<byte[]> polling = loop;
    if (polling != null) {
      polling.wake();
    }
  }
}
