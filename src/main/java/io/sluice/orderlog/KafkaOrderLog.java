package io.sluice.orderlog;

import io.micrometer.core.instrument.Counter;
import io.sluice.config.KafkaConfig;
import io.sluice.metrics.Meters;
import io.sluice.model.Command;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The order log on Kafka. Any number of event loops may append. */
public final class KafkaOrderLog implements OrderLog {
  private final String topic;
  private final KafkaAdmin admin;
  private final BoundedProducer producer;
  private final BrokerWatch watch;
  private final Counter failures;

  private KafkaOrderLog(
      String topic,
      KafkaAdmin admin,
      BoundedProducer producer,
      BrokerWatch watch,
      Counter failures) {
    this.topic = topic;
    this.admin = admin;
    this.producer = producer;
    this.watch = watch;
    this.failures = failures;
  }

  /**
   * Opens the log on topics that exist.
   *
   * @param expected what {@link KafkaTopics#ensure} found and the ledger agreed to
   * @param foreignTopic told once, when the topics are no longer those: the process must end
   */
  public static Future<KafkaOrderLog> open(
      Vertx vertx,
      KafkaConfig config,
      KafkaAdmin admin,
      Meters meters,
      TopicInfo expected,
      Consumer<TopicInfo> foreignTopic) {
    return BoundedProducer.open(vertx, config, List.of(config.ordersTopic()))
        .map(
            producer -> {
              meters.logInFlight(producer::inFlight);
              KafkaTopics topics = new KafkaTopics(vertx, admin, config);
              BrokerWatch watch = new BrokerWatch(vertx, topics, expected, foreignTopic);
              watch.start();
              return new KafkaOrderLog(
                  config.ordersTopic(), admin, producer, watch, meters.logAppendsFailed());
            });
  }

  @Override
  public Future<Long> append(int partition, List<Command> commands) {
    AwaitedRecord record;
    try {
      record = new AwaitedRecord(topic, partition, null, OrderLogCodec.encode(commands));
    } catch (IllegalArgumentException unwritable) {
      return Future.failedFuture(unwritable);
    }
    return producer.send(record).onComplete((offset, failure) -> noteOutcome(failure));
  }

  private void noteOutcome(@Nullable Throwable failure) {
    if (failure == null) {
      watch.acked();
    } else {
      failures.increment();
      if (!(failure instanceof LogFullException)) {
        watch.failed(failure);
      }
    }
  }

  @Override
  public Future<Long> endOffset(int partition) {
    return admin.endOffset(topic, partition);
  }

  /** Whether the log takes records, as far as is known: part of being ready. */
  public boolean isUp() {
    return watch.isUp();
  }

  /** Waits for the acks of what is under way, no longer than delivery.timeout.ms. */
  public Future<Void> close() {
    watch.close();
    return producer.close();
  }
}
