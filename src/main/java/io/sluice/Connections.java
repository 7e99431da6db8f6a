package io.sluice;

import io.sluice.config.Config;
import io.sluice.db.Database;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.mysql.MySqlLedger;
import io.sluice.ledger.mysql.MySqlSaleLedger;
import io.sluice.ledger.mysql.MySqlSkuLedger;
import io.sluice.metrics.Meters;
import io.sluice.orderlog.EventFeed;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.KafkaAdmin;
import io.sluice.orderlog.kafka.KafkaEventFeed;
import io.sluice.orderlog.kafka.KafkaEventPublisher;
import io.sluice.orderlog.kafka.KafkaOrderLog;
import io.sluice.orderlog.kafka.KafkaOrderLogConsumer;
import io.sluice.stock.StockConnection;
import io.sluice.stock.redis.RedisConnector;
import io.sluice.stock.redis.RedisStocks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The connections of an instance to MySQL and Kafka, opened as soon as each is available. Each
 * event loop opens its own to Redis.
 */
final class Connections {
  private final Vertx vertx;
  private final Config config;
  private final RedisConnector redis;
  private final Meters meters;
  private final PortDecorator decorator;
  private final Database database;
  private final Database lookups;
  private final Database bookings;
  private final KafkaAdmin kafkaAdmin;
  private final KafkaOrderLog orderLog;
  private final KafkaEventPublisher events;
  private final EventFeed feed;
  private final byte[] tokenSecret;
  private final int partitions;
  private final Presence presence;
  private final List<String> logWeaknesses;

  private Connections(
      Opening opening, Opening.Opened opened, KafkaOrderLog orderLog, KafkaEventPublisher events) {
    this.vertx = opening.vertx();
    this.config = opening.config();
    this.redis = opening.redis();
    this.meters = opening.meters();
    this.decorator = opening.decorator();
    this.database = opened.database();
    this.lookups = opening.open(config.mysql().forLookups(), "lookups");
    this.bookings = opening.open(config.mysql().forBookings(), "bookings");
    this.kafkaAdmin = opened.kafkaAdmin();
    this.orderLog = orderLog;
    this.events = events;
    this.feed = new KafkaEventFeed(vertx, config.kafka(), kafkaAdmin);
    this.tokenSecret = opened.tokenSecret();
    this.partitions = opened.topics().partitions();
    this.presence = opened.presence();
    this.logWeaknesses = opened.logWeaknesses();
  }

  /**
   * Opens all connections, however long it takes. Fails with {@link IdentityMismatchException}
   * where the order log or token secret is not the one of the ledger.
   *
   * @param foreignTopic notified when the order log later turns out to be another one: the expected
   *     one, and the one found
   */
  static Future<Connections> open(Opening opening, BiConsumer<TopicInfo, TopicInfo> foreignTopic) {
    return opening
        .all()
        .compose(
            opened -> {
              Future<KafkaOrderLog> log =
                  opening.untilKafka(
                      () ->
                          KafkaOrderLog.open(
                              opening.vertx(),
                              opening.config().kafka(),
                              opened.presence().id(),
                              opened.kafkaAdmin(),
                              opening.meters(),
                              opened.topics(),
                              found -> foreignTopic.accept(opened.topics(), found)));
              Future<KafkaEventPublisher> events =
                  opening.untilKafka(
                      () ->
                          KafkaEventPublisher.open(
                              opening.vertx(), opening.config().kafka(), opened.presence().id()));
              return Future.all(log, events)
                  .map(both -> new Connections(opening, opened, log.result(), events.result()));
            });
  }

  Ledger ledger() {
    return decorator.decorate(Ledger.class, new MySqlLedger(database, meters));
  }

  SkuLedger skuLedger() {
    return decorator.decorate(SkuLedger.class, new MySqlSkuLedger(database, partitions));
  }

  /** The sales: changes do not wait for look-ups, nor look-ups for owners. */
  SaleLedger saleLedger() {
    return decorator.decorate(SaleLedger.class, new MySqlSaleLedger(database, lookups, partitions));
  }

  /** The ledger for buyers: look-ups and direct bookings do not wait for owners. */
  Ledger buyersLedger() {
    return decorator.decorate(Ledger.class, new MySqlLedger(bookings, lookups, meters));
  }

  SkuLedger buyersSkuLedger() {
    return decorator.decorate(SkuLedger.class, new MySqlSkuLedger(bookings, lookups, partitions));
  }

  /** A port on the connections for look-ups, which owners do not wait for. */
  <T> T onLookups(Class<T> port, Function<Database, T> made) {
    return decorator.decorate(port, made.apply(lookups));
  }

  OrderLog orderLog() {
    return decorator.decorate(OrderLog.class, orderLog);
  }

  /** Whether any partition of the order log takes records. */
  boolean isLogUp() {
    return orderLog.isUp();
  }

  /** The partitions of the order log that take no records. */
  List<Integer> logPartitionsOut() {
    return orderLog.partitionsOut();
  }

  /** What is less safe about the order log than a sale needs, as seen at the start. */
  List<String> logWeaknesses() {
    return logWeaknesses;
  }

  EventPublisher events() {
    return decorator.decorate(EventPublisher.class, events);
  }

  byte[] tokenSecret() {
    return tokenSecret;
  }

  Presence presence() {
    return presence;
  }

  int partitions() {
    return partitions;
  }

  /** A store with its own connection, not started; it belongs to the context that starts it. */
  StockConnection newStock() {
    return decorator.decorate(StockConnection.class, RedisStocks.open(vertx, redis, meters));
  }

  OrderLogConsumer newConsumer() {
    KafkaOrderLogConsumer consumer =
        new KafkaOrderLogConsumer(vertx, config.kafka(), kafkaAdmin, meters);
    orderLog.onAppended(consumer::appended);
    return decorator.decorate(OrderLogConsumer.class, consumer);
  }

  Future<Void> listenTo(EventFeed.Listener listener) {
    return feed.start(listener);
  }

  Future<Void> close() {
    return presence
        .leave(vertx)
        .compose(left -> feed.close())
        .transform(closed -> events.close())
        .transform(closed -> orderLog.close())
        .transform(closed -> kafkaAdmin.close())
        .transform(closed -> bookings.close())
        .transform(closed -> lookups.close())
        .transform(closed -> database.close());
  }
}
