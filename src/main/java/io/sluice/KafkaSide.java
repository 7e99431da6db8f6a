package io.sluice;

import io.sluice.metrics.Meters;
import io.sluice.orderlog.EventFeed;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.KafkaAdmin;
import io.sluice.orderlog.kafka.KafkaEventFeed;
import io.sluice.orderlog.kafka.KafkaEventPublisher;
import io.sluice.orderlog.kafka.KafkaOrderLog;
import io.sluice.orderlog.kafka.KafkaOrderLogConsumer;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BiConsumer;

/** The connections of an instance to Kafka. */
final class KafkaSide {
  private final Opening opening;
  private final KafkaAdmin admin;
  private final KafkaOrderLog orderLog;
  private final KafkaEventPublisher events;
  private final EventFeed feed;
  private final List<String> weaknesses;

  private KafkaSide(
      Opening opening, FoundKafka found, KafkaOrderLog orderLog, KafkaEventPublisher events) {
    this.opening = opening;
    this.admin = found.admin();
    this.orderLog = orderLog;
    this.events = events;
    this.feed = new KafkaEventFeed(opening.vertx(), opening.config().kafka(), admin);
    this.weaknesses = found.weaknesses();
  }

  /**
   * Opens producers, however long it takes.
   *
   * @param instanceId of this instance
   * @param foreignTopic notified when the order log later turns out to be another one: the expected
   *     one, and the one found
   */
  static Future<KafkaSide> open(
      Opening opening,
      FoundKafka found,
      String instanceId,
      BiConsumer<TopicInfo, TopicInfo> foreignTopic) {
    Future<KafkaOrderLog> log =
        opening.untilKafka(
            () ->
                KafkaOrderLog.open(
                    opening.vertx(),
                    opening.config().kafka(),
                    instanceId,
                    found.admin(),
                    opening.meters(),
                    found.topics(),
                    other -> foreignTopic.accept(found.topics(), other)));
    Future<KafkaEventPublisher> events =
        opening.untilKafka(
            () -> KafkaEventPublisher.open(opening.vertx(), opening.config().kafka(), instanceId));
    return Future.all(log, events)
        .map(both -> new KafkaSide(opening, found, log.result(), events.result()));
  }

  KafkaOrderLog orderLog() {
    return orderLog;
  }

  KafkaEventPublisher events() {
    return events;
  }

  /** What is less safe about the order log than a sale needs, as seen at the start. */
  List<String> weaknesses() {
    return weaknesses;
  }

  OrderLogConsumer newConsumer(Meters meters) {
    KafkaOrderLogConsumer consumer =
        new KafkaOrderLogConsumer(opening.vertx(), opening.config().kafka(), admin, meters);
    orderLog.onAppended(consumer::appended);
    return consumer;
  }

  Future<Void> listenTo(EventFeed.Listener listener) {
    return feed.start(listener);
  }

  Future<Void> close() {
    return feed.close()
        .transform(closed -> events.close())
        .transform(closed -> orderLog.close())
        .transform(closed -> admin.close());
  }
}
