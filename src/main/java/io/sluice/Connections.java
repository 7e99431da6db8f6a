package io.sluice;

import io.sluice.config.KafkaConfig;
import io.sluice.db.Database;
import io.sluice.feed.NumberedPages;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.LedgerKeys;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.mysql.MySqlDirectLedger;
import io.sluice.ledger.mysql.MySqlInstances;
import io.sluice.ledger.mysql.MySqlLedger;
import io.sluice.ledger.mysql.MySqlLedgerIdentity;
import io.sluice.ledger.mysql.MySqlSaleLedger;
import io.sluice.ledger.mysql.MySqlSkuLedger;
import io.sluice.order.LoopStores;
import io.sluice.orderlog.EventCursor;
import io.sluice.orderlog.EventListener;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.orderlog.OrderLog.NoOrderLog;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.EventSeal;
import io.sluice.orderlog.kafka.KafkaEventFeed;
import io.sluice.orderlog.kafka.KafkaEventPages;
import io.sluice.orderlog.kafka.KafkaEventPublisher;
import io.sluice.orderlog.kafka.KafkaOrderLog;
import io.sluice.orderlog.kafka.KafkaOrderLogConsumer;
import io.sluice.orderlog.kafka.SealWatch;
import io.sluice.stock.Stock;
import io.sluice.stock.StockConnection;
import io.sluice.stock.redis.NoStock;
import io.sluice.stock.redis.RedisConnector;
import io.sluice.stock.redis.RedisStock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connections of an instance to MySQL and, if there is one, to Kafka, opened as soon as each is
 * available. Each event loop opens its own to Redis.
 */
final class Connections {
  private final Opening opening;
  private final Opening.Opened opened;
  private final @Nullable RedisConnector redis;
  private final Database lookups;
  private final Database bookings;
  private final @Nullable KafkaSide kafka;
  private final NoOrderLog noLog = new NoOrderLog();
  private final Consumer<String> isWrong;

  /**
   * The connections to Kafka.
   *
   * @param found its facts at the start
   */
  private record KafkaSide(
      Opening.FoundKafka found,
      KafkaOrderLog orderLog,
      KafkaEventPublisher events,
      KafkaEventFeed feed,
      KafkaEventPages pages) {

    Future<Void> close() {
      return feed.close()
          .transform(done -> pages.close())
          .transform(done -> events.close())
          .transform(done -> orderLog.close())
          .transform(done -> found.admin().close());
    }
  }

  private Connections(
      Opening opening, Opening.Opened opened, @Nullable KafkaSide kafka, Consumer<String> isWrong) {
    this.opening = opening;
    this.opened = opened;
    RedisConnector found = opening.redis();
    this.redis = found == null ? null : found.of(opened.keys().id());
    this.lookups = opening.open(opening.config().mysql().forLookups(), "lookups");
    this.bookings = opening.open(opening.config().mysql().forBookings(), "bookings");
    this.kafka = kafka;
    this.isWrong = isWrong;
  }

  /**
   * Opens all connections, however long it takes. Fails with {@link IdentityMismatchException} if
   * the order log or token secret is not the one of the ledger.
   *
   * @param isWrong notified of why this instance must end, when what was right at the start is not
   *     any more
   */
  static Future<Connections> open(Opening opening, Consumer<String> isWrong) {
    return opening
        .all()
        .compose(
            opened -> {
              Opening.FoundKafka found = opened.kafka();
              return found == null
                  ? Future.succeededFuture(new Connections(opening, opened, null, isWrong))
                  : openKafka(opening, opened, found, isWrong)
                      .map(kafka -> new Connections(opening, opened, kafka, isWrong));
            });
  }

  private static Future<KafkaSide> openKafka(
      Opening opening, Opening.Opened opened, Opening.FoundKafka found, Consumer<String> isWrong) {
    Vertx vertx = opening.vertx();
    KafkaConfig config = opening.config().kafka();
    LedgerKeys keys = opened.keys();
    EventSeal seal = new EventSeal(keys.id(), keys.eventKey());
    Future<KafkaOrderLog> log =
        opening.untilKafka(
            () ->
                KafkaOrderLog.open(
                    vertx,
                    config,
                    opened.presence().id(),
                    found.admin(),
                    opening.meters(),
                    found.topics(),
                    other -> isWrong.accept(foreignLog(found.topics(), other))));
    Future<KafkaEventPublisher> events =
        opening.untilKafka(
            () -> KafkaEventPublisher.open(vertx, config, opened.presence().id(), seal));
    SealWatch seals =
        new SealWatch(keys.id(), config.eventsTopic(), opening.meters(), System::nanoTime);
    return Future.all(log, events)
        .map(
            both ->
                new KafkaSide(
                    found,
                    log.result(),
                    events.result(),
                    new KafkaEventFeed(vertx, config, found.admin(), seal, seals),
                    new KafkaEventPages(
                        vertx, config, found.admin(), seal, InstantSource.system())));
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

  private <T> T decorate(Class<T> port, T target) {
    return opening.decorator().decorate(port, target);
  }

  /** SKUs that sell in the ledger alone, as the background work sees them. */
  DirectLedger directLedger() {
    return decorate(
        DirectLedger.class, new MySqlDirectLedger(opened.database(), lookups, opening.meters()));
  }

  Ledger ledger() {
    return decorate(Ledger.class, new MySqlLedger(opened.database(), opening.meters()));
  }

  SkuLedger skuLedger() {
    return decorate(SkuLedger.class, new MySqlSkuLedger(opened.database(), partitions()));
  }

  /** The sales: changes do not wait for look-ups, nor look-ups for owners. */
  SaleLedger saleLedger() {
    return decorate(
        SaleLedger.class, new MySqlSaleLedger(opened.database(), lookups, partitions()));
  }

  /** The ledger for buyers: look-ups and bookings past the log do not wait for owners. */
  Ledger buyersLedger() {
    return decorate(Ledger.class, new MySqlLedger(bookings, lookups, opening.meters()));
  }

  SkuLedger buyersSkuLedger() {
    return decorate(SkuLedger.class, new MySqlSkuLedger(bookings, lookups, partitions()));
  }

  /** The ids of the instances that run. */
  Future<List<String>> running() {
    return new MySqlInstances(lookups).running();
  }

  /** A port on the connections for look-ups, which owners do not wait for. */
  <T> T onLookups(Class<T> port, Function<Database, T> made) {
    return decorate(port, made.apply(lookups));
  }

  /**
   * Fails if the ledger names another order log by now, and says why this instance must end. The
   * ledger was restored to before it adopted this one, and its offsets are of the one before.
   */
  Future<Void> sameLog() {
    TopicInfo topics = Objects.requireNonNull(kafka).found().topics();
    return new MySqlLedgerIdentity(opened.database())
        .orderLog(
            topics.partitions(),
            topics.topicId(),
            () -> Future.failedFuture("Expected the ledger to name its order log"))
        .onFailure(this::endIfWrong);
  }

  /** Renews the row of this instance, and says why it must end if the ledger is another one. */
  Future<Void> renewPresence() {
    return presence().write().onFailure(this::endIfWrong);
  }

  private void endIfWrong(Throwable cause) {
    if (cause instanceof IdentityMismatchException) {
      isWrong.accept(String.valueOf(cause.getMessage()));
    }
  }

  OrderLog orderLog() {
    return kafka == null ? noLog : decorate(OrderLog.class, kafka.orderLog());
  }

  /** Whether any partition of the order log takes records. */
  boolean isLogUp() {
    return kafka != null && kafka.orderLog().isUp();
  }

  /** The partitions of the order log that take no records. */
  List<Integer> logPartitionsOut() {
    return kafka == null ? List.of() : kafka.orderLog().partitionsOut();
  }

  /** The weaknesses of the order log for a sale, as seen at the start. */
  List<String> logWeaknesses() {
    return kafka == null ? List.of() : kafka.found().weaknesses();
  }

  EventPublisher events() {
    return kafka == null ? noLog : decorate(EventPublisher.class, kafka.events());
  }

  /**
   * The events that are kept, of all SKUs; null if their topic has more partitions than a cursor.
   */
  @Nullable EventPages eventPages() {
    if (kafka == null) {
      return new NumberedPages(directLedger());
    }
    return partitions() > EventCursor.PARTITIONS_MAX ? null : kafka.pages();
  }

  /** Whether there is an order log, and so owners. */
  boolean hasLog() {
    return kafka != null;
  }

  byte[] tokenSecret() {
    return opened.tokenSecret();
  }

  Opening.Presence presence() {
    return opened.presence();
  }

  int partitions() {
    return opened.partitions();
  }

  /** The stores of an event loop that answers buyers. */
  LoopStores stores(Stock stock, Ledger buyersLedger, SkuLedger buyersSkuLedger) {
    DirectLedger direct =
        decorate(DirectLedger.class, new MySqlDirectLedger(bookings, lookups, opening.meters()));
    return new LoopStores(stock, orderLog(), buyersLedger, buyersSkuLedger, direct);
  }

  /** A store with its own connection, not started; it belongs to the context that starts it. */
  StockConnection newStock() {
    return redis == null
        ? new NoStock()
        : decorate(
            StockConnection.class, RedisStock.open(opening.vertx(), redis, opening.meters()));
  }

  OrderLogConsumer newConsumer() {
    KafkaSide side = Objects.requireNonNull(kafka);
    KafkaOrderLogConsumer consumer =
        new KafkaOrderLogConsumer(
            opening.vertx(),
            opening.config().kafka(),
            opened.keys().id(),
            side.found().admin(),
            opening.meters());
    side.orderLog().onAppended(consumer::appended);
    return decorate(OrderLogConsumer.class, consumer);
  }

  Future<Void> listenTo(EventListener listener) {
    return kafka == null ? Future.succeededFuture() : kafka.feed().start(listener);
  }

  Future<Void> close() {
    return presence()
        .leave(opening.vertx())
        .compose(left -> kafka == null ? Future.succeededFuture() : kafka.close())
        .transform(closed -> bookings.close())
        .transform(closed -> lookups.close())
        .transform(closed -> opened.database().close());
  }
}
