package io.sluice.orderlog.kafka;

import io.micrometer.core.instrument.Counter;
import io.sluice.config.KafkaConfig;
import io.sluice.metrics.Meters;
import io.sluice.model.Command;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.LogUnavailableException.LogFullException;
import io.sluice.orderlog.OrderLog;
import io.sluice.orderlog.OrderLogCodec;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.BoundedProducer.Joining;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/** The order log on Kafka. Any event loop may append. */
public final class KafkaOrderLog implements OrderLog {
  /** Slightly below the brokers' default limit; about three thousand reservations. */
  static final int RECORD_BYTES_MAX = 900 * 1024;

  /** A record costs the owner and the broker about the same whether it has one command or 100. */
  private static final Joining JOINING = new Joining(32 * 1024, OrderLogCodec::join);

  private final String topic;
  private final InstanceName instance;
  private final KafkaAdmin admin;
  private final BoundedProducer producer;
  private final BrokerHealth watch;
  private final Counter failures;
  private volatile Runnable appended = () -> {};

  private KafkaOrderLog(
      String topic,
      InstanceName instance,
      KafkaAdmin admin,
      BoundedProducer producer,
      BrokerHealth watch,
      Counter failures) {
    this.topic = topic;
    this.instance = instance;
    this.admin = admin;
    this.producer = producer;
    this.watch = watch;
    this.failures = failures;
  }

  /**
   * Opens the log on existing topics.
   *
   * @param instanceId names this instance in each record
   * @param expected the topics that {@link KafkaTopics#ensure} found and the ledger was founded
   *     with
   * @param foreignTopic notified once, when the topics are no longer those: the process must end
   */
  public static Future<KafkaOrderLog> open(
      Vertx vertx,
      KafkaConfig config,
      String instanceId,
      KafkaAdmin admin,
      Meters meters,
      TopicInfo expected,
      Consumer<TopicInfo> foreignTopic) {
    return BoundedProducer.open(vertx, config, config.ordersTopic(), JOINING)
        .map(
            producer -> {
              meters.logInFlight(producer::inFlight);
              BrokerHealth watch =
                  new BrokerHealth(
                      new KafkaTopics(vertx, admin, config)::look, expected, foreignTopic);
              watch.start(vertx);
              meters.logPartitionsOut(() -> watch.out().size());
              return new KafkaOrderLog(
                  config.ordersTopic(),
                  new InstanceName(instanceId),
                  admin,
                  producer,
                  watch,
                  meters.logAppendsFailed());
            });
  }

  /** Sets what is called after each acknowledged append, on any thread. */
  public void onAppended(Runnable listener) {
    appended = listener;
  }

  @Override
  public String instance() {
    return instance.id();
  }

  @Override
  public Future<Long> append(int partition, List<Command> commands) {
    ProducerRecord<String, byte[]> record;
    try {
      record = record(partition, commands);
    } catch (IllegalArgumentException unwritable) {
      return Future.failedFuture(unwritable);
    }
    long append = watch.begin();
    return producer
        .send(record)
        .onComplete((offset, failure) -> noteOutcome(partition, append, failure));
  }

  private ProducerRecord<String, byte[]> record(int partition, List<Command> commands) {
    if (partition < 0 || partition >= watch.partitions()) {
      throw new IllegalArgumentException(
          "Expected a partition below %d, but got %d".formatted(watch.partitions(), partition));
    }
    if (commands.isEmpty()) {
      throw new IllegalArgumentException("Expected at least one command, but there is none");
    }
    byte[] value = OrderLogCodec.encode(commands);
    if (value.length > RECORD_BYTES_MAX) {
      throw new IllegalArgumentException(
          "Expected a record of at most %d bytes, but %d commands take %d"
              .formatted(RECORD_BYTES_MAX, commands.size(), value.length));
    }
    ProducerRecord<String, byte[]> record = new ProducerRecord<>(topic, partition, null, value);
    instance.addTo(record.headers());
    return record;
  }

  private void noteOutcome(int partition, long append, @Nullable Throwable failure) {
    if (failure == null) {
      watch.acked(partition, append);
      appended.run();
    } else {
      failures.increment();
      if (!(failure instanceof LogFullException)) {
        watch.failed(partition, append, failure);
      }
    }
  }

  @Override
  public Future<Void> room(int partition) {
    return producer.room(partition);
  }

  @Override
  public boolean takes(int partition) {
    return watch.takes(partition);
  }

  @Override
  public Future<Long> endOffset(int partition) {
    return watch.hasLeader(partition)
        ? asked(admin.endOffset(topic, partition))
        : Future.failedFuture(KafkaAdmin.noLeader(topic, partition));
  }

  @Override
  public Future<Long> beginOffset(int partition) {
    return watch.hasLeader(partition)
        ? asked(admin.beginOffset(topic, partition))
        : Future.failedFuture(KafkaAdmin.noLeader(topic, partition));
  }

  /** Whether any partition takes records, as far as is known; part of readiness. */
  public boolean isUp() {
    return watch.isUp();
  }

  /** The partitions that take no records now. */
  public List<Integer> partitionsOut() {
    return watch.out();
  }

  /** Waits for acks of records in flight, at most delivery.timeout.ms. */
  public Future<Void> close() {
    watch.close();
    return producer.close();
  }

  /** A broker that does not answer is the log that is away, whatever the client calls it. */
  private static Future<Long> asked(Future<Long> offset) {
    return offset.recover(
        failure ->
            Future.failedFuture(
                failure instanceof RetriableException
                    ? new LogUnavailableException(String.valueOf(failure.getMessage()), failure)
                    : failure));
  }
}
