package io.sluice;

import io.sluice.db.Database;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.LedgerKeys;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.mysql.MySqlDirectLedger;
import io.sluice.ledger.mysql.MySqlLedger;
import io.sluice.ledger.mysql.MySqlLedgerIdentity;
import io.sluice.ledger.mysql.MySqlLevels;
import io.sluice.ledger.mysql.MySqlSaleLedger;
import io.sluice.ledger.mysql.MySqlSkuLedger;
import io.sluice.metrics.Meters;
import io.sluice.orderlog.EventFeed;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.orderlog.OrderLog.NoOrderLog;
import io.sluice.orderlog.OrderLogConsumer;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.EventSeal;
import io.sluice.reservation.LoopStores;
import io.sluice.stock.NoStock;
import io.sluice.stock.Stock;
import io.sluice.stock.StockConnection;
import io.sluice.stock.redis.RedisConnector;
import io.sluice.stock.redis.RedisStocks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
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
  private final Vertx vertx;
  private final @Nullable RedisConnector redis;
  private final Meters meters;
  private final PortDecorator decorator;
  private final Database database;
  private final Database lookups;
  private final Database bookings;
  private final @Nullable KafkaSide kafka;
  private final NoOrderLog noLog = new NoOrderLog();
  private final byte[] tokenSecret;
  private final int partitions;
  private final Presence presence;
  private final Consumer<String> isWrong;

  private Connections(
      Opening opening, Opening.Opened opened, @Nullable KafkaSide kafka, Consumer<String> isWrong) {
    this.isWrong = isWrong;
    this.vertx = opening.vertx();
    RedisConnector found = opening.redis();
    this.redis = found == null ? null : found.of(opened.keys().id());
    this.meters = opening.meters();
    this.decorator = opening.decorator();
    this.database = opened.database();
    this.lookups = opening.open(opening.config().mysql().forLookups(), "lookups");
    this.bookings = opening.open(opening.config().mysql().forBookings(), "bookings");
    this.kafka = kafka;
    this.tokenSecret = opened.tokenSecret();
    this.partitions = opened.partitions();
    this.presence = opened.presence();
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
              FoundKafka found = opened.kafka();
              return found == null
                  ? Future.succeededFuture(new Connections(opening, opened, null, isWrong))
                  : KafkaSide.open(
                          opening, found, opened.presence().id(), signing(opening, opened), isWrong)
                      .map(kafka -> new Connections(opening, opened, kafka, isWrong));
            });
  }

  private static KafkaSide.Signing signing(Opening opening, Opening.Opened opened) {
    LedgerKeys keys = opened.keys();
    return new KafkaSide.Signing(
        keys.id(),
        new EventSeal(keys.id(), keys.eventKey()),
        new SealWatch(
            keys.id(),
            opening.config().kafka().eventsTopic(),
            new MySqlLevels(opened.database()),
            opening.meters(),
            System::nanoTime));
  }

  /** SKUs that sell in the ledger alone, as the background work sees them. */
  DirectLedger directLedger() {
    return decorator.decorate(DirectLedger.class, new MySqlDirectLedger(database, lookups, meters));
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

  /**
   * Fails if the ledger names another order log by now, and says why this instance must end. The
   * ledger was restored to before it adopted this one, and its offsets are of the one before.
   */
  Future<Void> sameLog() {
    TopicInfo topics = Objects.requireNonNull(kafka).topics();
    return new MySqlLedgerIdentity(database)
        .orderLog(
            topics.partitions(),
            topics.topicId(),
            () -> Future.failedFuture("Expected the ledger to name its order log"))
        .onFailure(this::endIfWrong);
  }

  /** Renews the row of this instance, and says why it must end if the ledger is another one. */
  Future<Void> renewPresence() {
    return presence.write().onFailure(this::endIfWrong);
  }

  private void endIfWrong(Throwable cause) {
    if (cause instanceof IdentityMismatchException) {
      isWrong.accept(String.valueOf(cause.getMessage()));
    }
  }

  OrderLog orderLog() {
    return kafka == null ? noLog : decorator.decorate(OrderLog.class, kafka.orderLog());
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
    return kafka == null ? List.of() : kafka.weaknesses();
  }

  EventPublisher events() {
    return kafka == null ? noLog : decorator.decorate(EventPublisher.class, kafka.events());
  }

  /** Whether there is an order log, and so owners. */
  boolean hasLog() {
    return kafka != null;
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

  /** The stores of an event loop that answers buyers. */
  LoopStores stores(Stock stock, Ledger buyersLedger, SkuLedger buyersSkuLedger) {
    DirectLedger direct =
        decorator.decorate(DirectLedger.class, new MySqlDirectLedger(bookings, lookups, meters));
    return new LoopStores(stock, orderLog(), buyersLedger, buyersSkuLedger, direct);
  }

  /** A store with its own connection, not started; it belongs to the context that starts it. */
  StockConnection newStock() {
    return redis == null
        ? new NoStock()
        : decorator.decorate(StockConnection.class, RedisStocks.open(vertx, redis, meters));
  }

  OrderLogConsumer newConsumer() {
    return decorator.decorate(
        OrderLogConsumer.class, Objects.requireNonNull(kafka).newConsumer(meters));
  }

  Future<Void> listenTo(EventFeed.Listener listener) {
    return kafka == null ? Future.succeededFuture() : kafka.listenTo(listener);
  }

  Future<Void> close() {
    return presence
        .leave(vertx)
        .compose(left -> kafka == null ? Future.succeededFuture() : kafka.close())
        .transform(closed -> bookings.close())
        .transform(closed -> lookups.close())
        .transform(closed -> database.close());
  }
}
