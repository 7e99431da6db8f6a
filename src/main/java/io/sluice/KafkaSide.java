package io.sluice;

import io.sluice.ledger.IdentityMismatchException;
import io.sluice.metrics.Meters;
import io.sluice.orderlog.EventFeed;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.EventSeal;
import io.sluice.orderlog.kafka.KafkaAdmin;
import io.sluice.orderlog.kafka.KafkaEventFeed;
import io.sluice.orderlog.kafka.KafkaEventPublisher;
import io.sluice.orderlog.kafka.KafkaOrderLog;
import io.sluice.orderlog.kafka.KafkaOrderLogConsumer;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/** The connections of an instance to Kafka. */
final class KafkaSide {
  /**
   * How events are signed and checked.
   *
   * @param ledger the id of the ledger
   */
  record Signing(String ledger, EventSeal seal, SealWatch watch) {}

  private final Opening opening;
  private final Signing signing;
  private final KafkaAdmin admin;
  private final KafkaOrderLog orderLog;
  private final KafkaEventPublisher events;
  private final EventFeed feed;
  private final TopicInfo topics;
  private final List<String> weaknesses;
  private boolean closed;

  private KafkaSide(
      Opening opening,
      FoundKafka found,
      Signing signing,
      KafkaOrderLog orderLog,
      KafkaEventPublisher events) {
    this.opening = opening;
    this.signing = signing;
    this.admin = found.admin();
    this.orderLog = orderLog;
    this.events = events;
    this.feed =
        new KafkaEventFeed(
            opening.vertx(), opening.config().kafka(), admin, signing.seal(), signing.watch());
    this.topics = found.topics();
    this.weaknesses = found.weaknesses();
  }

  /**
   * Opens producers, however long it takes.
   *
   * @param instanceId of this instance
   * @param isWrong notified of why this instance must end, when the order log later turns out to be
   *     another one
   */
  static Future<KafkaSide> open(
      Opening opening,
      FoundKafka found,
      String instanceId,
      Signing signing,
      Consumer<String> isWrong) {
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
                    other -> isWrong.accept(foreignLog(found.topics(), other))));
    Future<KafkaEventPublisher> events =
        opening.untilKafka(
            () ->
                KafkaEventPublisher.open(
                    opening.vertx(), opening.config().kafka(), instanceId, signing.seal()));
    return Future.all(log, events)
        .map(both -> new KafkaSide(opening, found, signing, log.result(), events.result()));
  }

  private static String foreignLog(TopicInfo expected, TopicInfo found) {
    return "Expected the order log that the ledger was founded with (topic id %s, kafka.partitions %d), but found topic id %s, kafka.partitions %d; %s"
        .formatted(
            expected.topicId(),
            expected.partitions(),
            found.topicId(),
            found.partitions(),
            IdentityMismatchException.LOST_LOG);
  }

  /** The topics as they were at the start. */
  TopicInfo topics() {
    return topics;
  }

  KafkaOrderLog orderLog() {
    return orderLog;
  }

  KafkaEventPublisher events() {
    return events;
  }

  /** The weaknesses of the order log for a sale, as seen at the start. */
  List<String> weaknesses() {
    return weaknesses;
  }

  OrderLogConsumer newConsumer(Meters meters) {
    KafkaOrderLogConsumer consumer =
        new KafkaOrderLogConsumer(
            opening.vertx(), opening.config().kafka(), signing.ledger(), admin, meters);
    orderLog.onAppended(consumer::appended);
    return consumer;
  }

  Future<Void> listenTo(EventFeed.Listener listener) {
    return watchSeal().compose(asked -> feed.start(listener));
  }

  /** Completes after the first look, which is repeated until signatures are demanded. */
  private Future<Void> watchSeal() {
    return signing
        .watch()
        .look()
        .onSuccess(
            again -> {
              if (again && !closed) {
                opening.vertx().setTimer(SealWatch.LOOK_EVERY.toMillis(), id -> watchSeal());
              }
            })
        .mapEmpty();
  }

  Future<Void> close() {
    closed = true;
    return feed.close()
        .transform(closed -> events.close())
        .transform(closed -> orderLog.close())
        .transform(closed -> admin.close());
  }
}
