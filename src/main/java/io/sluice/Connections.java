package io.sluice;

import io.sluice.admin.Readiness;
import io.sluice.config.Config;
import io.sluice.config.MysqlConfig;
import io.sluice.db.Database;
import io.sluice.db.Migrations;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.mysql.MySqlInstances;
import io.sluice.ledger.mysql.MySqlLedger;
import io.sluice.ledger.mysql.MySqlLedgerIdentity;
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
import io.sluice.orderlog.kafka.KafkaFailures;
import io.sluice.orderlog.kafka.KafkaOrderLog;
import io.sluice.orderlog.kafka.KafkaOrderLogConsumer;
import io.sluice.orderlog.kafka.KafkaTopics;
import io.sluice.stock.StockConnection;
import io.sluice.stock.redis.RedisStock;
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
      Opening opening, Opened opened, KafkaOrderLog orderLog, KafkaEventPublisher events) {
    this.vertx = opening.vertx;
    this.config = opening.config;
    this.meters = opening.meters;
    this.decorator = opening.decorator;
    this.database = opened.database;
    this.lookups = opening.open(config.mysql().forLookups(), "lookups");
    this.bookings = opening.open(config.mysql().forBookings(), "bookings");
    this.kafkaAdmin = opened.kafkaAdmin;
    this.orderLog = orderLog;
    this.events = events;
    this.feed = new KafkaEventFeed(vertx, config.kafka(), kafkaAdmin);
    this.tokenSecret = opened.tokenSecret;
    this.partitions = opened.topics.partitions();
    this.presence = opened.presence;
    this.logWeaknesses = opened.logWeaknesses;
  }

  private record Opened(
      Database database,
      byte[] tokenSecret,
      KafkaAdmin kafkaAdmin,
      TopicInfo topics,
      List<String> logWeaknesses,
      Presence presence) {}

  /** The parameters of opening; each step is retried until it succeeds or fails permanently. */
  record Opening(
      Vertx vertx,
      Config config,
      Meters meters,
      PortDecorator decorator,
      Retry retry,
      Readiness readiness,
      boolean adoptLog) {

    Future<Opened> all() {
      Future<Database> database = database();
      Future<KafkaAdmin> admin = KafkaAdmin.open(vertx, config.kafka());
      Future<TopicInfo> topics = admin.compose(this::topics);
      Future<List<String>> weaknesses = topics.compose(found -> weaknesses(admin.result()));
      Future<Void> redis = redis();
      Future<byte[]> secret =
          database.compose(
              open ->
                  retry.until(
                      "mysql",
                      () ->
                          new MySqlLedgerIdentity(open).tokenSecret(config.auth().tokenSecret())));
      return Future.all(secret, weaknesses, redis)
          .map(
              all ->
                  new Opened(
                      database.result(),
                      secret.result(),
                      admin.result(),
                      topics.result(),
                      weaknesses.result(),
                      new Presence(new MySqlInstances(database.result()), config.reservation())))
          .compose(opened -> agreed(opened).map(opened));
    }

    private Future<Database> database() {
      return retry
          .until("mysql", () -> Migrations.run(vertx, config.mysql(), adoptLog))
          .onSuccess(migrated -> readiness.report("mysql", true, "schema is up to date"))
          .map(migrated -> open(config.mysql().forOwners(), "owners"));
    }

    private Database open(MysqlConfig share, String use) {
      return Database.open(vertx, share, meters, decorator.pools(), use);
    }

    private Future<TopicInfo> topics(KafkaAdmin admin) {
      return retry
          .until("kafka", () -> ofKafka(new KafkaTopics(vertx, admin, config.kafka()).ensure()))
          .compose(
              info ->
                  info.mismatches().isEmpty()
                      ? Future.succeededFuture(info)
                      : Future.failedFuture(
                          new IdentityMismatchException(String.join("; ", info.mismatches()))))
          .onSuccess(info -> readiness.report("kafka", true, "topics are there"));
    }

    private Future<List<String>> weaknesses(KafkaAdmin admin) {
      return new KafkaTopics(vertx, admin, config.kafka()).weaknesses();
    }

    /** Only checks that Redis can be used. */
    private Future<Void> redis() {
      return retry
          .until("redis", () -> RedisStock.probe(vertx, config.redis()))
          .onSuccess(up -> readiness.report("redis", true, "answers"));
    }

    private Future<Void> agreed(Opened opened) {
      FoundationCheck foundation =
          new FoundationCheck(
              new MySqlLedgerIdentity(opened.database),
              opened.topics,
              () ->
                  opened.kafkaAdmin.endOffsets(
                      config.kafka().ordersTopic(), opened.topics.partitions()));
      return foundation
          .agree(retry, config.kafka().group(), adoptLog)
          .compose(same -> retry.until("mysql", opened.presence::write));
    }
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
                  opening.retry.until(
                      "kafka",
                      () ->
                          ofKafka(
                              KafkaOrderLog.open(
                                  opening.vertx,
                                  opening.config.kafka(),
                                  opened.presence.id(),
                                  opened.kafkaAdmin,
                                  opening.meters,
                                  opened.topics,
                                  found -> foreignTopic.accept(opened.topics, found))));
              Future<KafkaEventPublisher> events =
                  opening.retry.until(
                      "kafka",
                      () ->
                          ofKafka(KafkaEventPublisher.open(opening.vertx, opening.config.kafka())));
              return Future.all(log, events)
                  .map(both -> new Connections(opening, opened, log.result(), events.result()));
            });
  }

  private static <T> Future<T> ofKafka(Future<T> call) {
    return call.recover(cause -> Future.failedFuture(KafkaFailures.classified(cause)));
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

  /**
   * A store with a connection of its own, not started; it belongs to the context that starts it.
   */
  StockConnection newStock() {
    return decorator.decorate(StockConnection.class, new RedisStock(vertx, config.redis(), meters));
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
