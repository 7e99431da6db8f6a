package io.sluice;

import io.sluice.admin.Readiness;
import io.sluice.config.Config;
import io.sluice.config.MysqlConfig;
import io.sluice.connect.ConnectFault;
import io.sluice.db.Database;
import io.sluice.db.Migrations;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.LedgerIdentity;
import io.sluice.ledger.LedgerKeys;
import io.sluice.ledger.mysql.MySqlInstances;
import io.sluice.ledger.mysql.MySqlLedgerIdentity;
import io.sluice.metrics.Meters;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.KafkaAdmin;
import io.sluice.orderlog.kafka.KafkaFailures;
import io.sluice.orderlog.kafka.KafkaTopics;
import io.sluice.stock.redis.RedisConnector;
import io.sluice.stock.redis.RedisStocks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens what {@link Connections} need first: database, Kafka, Redis, and the foundation that they
 * share. Each step is retried until it succeeds or fails permanently.
 */
record Opening(
    Vertx vertx,
    Config config,
    @Nullable RedisConnector redis,
    Meters meters,
    PortDecorator decorator,
    Retry retry,
    Readiness readiness,
    @Nullable AdoptedFrom adoptLog) {
  private static final String MYSQL = "mysql";
  private static final String KAFKA = "kafka";
  private static final String REDIS = "redis";
  private static final String THERE = "topics are there";
  private static final Future<Boolean> NO = Future.succeededFuture(false);

  /** Instances that run on a ledger note its id again within this time, once it was restored. */
  private static final Duration NOTED_AGAIN_WITHIN = Duration.ofSeconds(15);

  private static final Logger log = LoggerFactory.getLogger(Opening.class);

  /**
   * The parts that are opened first, and belong together.
   *
   * @param kafka null if there is none
   */
  record Opened(
      Database database,
      byte[] tokenSecret,
      LedgerKeys keys,
      @Nullable FoundKafka kafka,
      Presence presence) {
    /** Of the order log; 0 if there is none. */
    int partitions() {
      return kafka == null ? 0 : kafka.topics().partitions();
    }
  }

  /**
   * Opens all of it, however long it takes. Without an order log nothing needs to be told from
   * another ledger's, so that another id does not matter.
   */
  Future<Opened> all() {
    Future<Database> database = database();
    Future<@Nullable FoundKafka> kafka =
        config.isLedgerAlone() ? Future.succeededFuture() : findKafka();
    Future<byte[]> secret =
        database.compose(
            open ->
                retry.until(
                    MYSQL,
                    () -> new MySqlLedgerIdentity(open).tokenSecret(config.auth().tokenSecret())));
    Future<LedgerKeys> keys =
        database.compose(
            open -> kafka.compose(found -> keys(new MySqlLedgerIdentity(open), found)));
    return Future.all(secret, keys, kafka)
        .map(
            all ->
                new Opened(
                    database.result(),
                    secret.result(),
                    keys.result(),
                    kafka.result(),
                    new Presence(
                        new MySqlInstances(database.result()),
                        config.reservation(),
                        () ->
                            kafka.result() == null
                                ? Future.succeededFuture()
                                : new MySqlLedgerIdentity(database.result()).keep(keys.result()))))
        .compose(opened -> agreed(opened).map(opened));
  }

  /** If nobody notes an id for so long, the members named are of another ledger, or gone. */
  private Future<LedgerKeys> keys(LedgerIdentity identity, @Nullable FoundKafka kafka) {
    long beganNanos = System.nanoTime();
    BooleanSupplier isOver = () -> System.nanoTime() - beganNanos > NOTED_AGAIN_WITHIN.toNanos();
    return retry.until(
        MYSQL,
        () ->
            identity.keys(
                () ->
                    kafka == null ? Future.succeededFuture() : namesNobody(kafka.admin(), isOver)));
  }

  /**
   * Instances that cannot write to tables of before have left the group, but Redis names them. One
   * that cannot be asked may name them: it is asked again until the time is over.
   */
  private Future<Void> namesNobody(KafkaAdmin admin, BooleanSupplier isOver) {
    return retry
        .until(KAFKA, () -> isOver.getAsBoolean() ? NO : inGroup(admin))
        .compose(
            named ->
                named
                    ? Future.succeededFuture(true)
                    : retry.until(REDIS, () -> isOver.getAsBoolean() ? NO : inRedis()))
        .compose(
            named ->
                named && !isOver.getAsBoolean()
                    ? Future.failedFuture(
                        new IllegalStateException(
                            "Expected the ledger to have an id, but it was restored from a backup that has none; instances that run on it may note it again within %d s"
                                .formatted(NOTED_AGAIN_WITHIN.toSeconds())))
                    : Future.succeededFuture());
  }

  private Future<Boolean> inGroup(KafkaAdmin admin) {
    return others(admin, "").map(members -> !members.isEmpty());
  }

  private Future<Boolean> inRedis() {
    return redis == null ? NO : names(RedisStocks.probe(redis.of("none")));
  }

  /** Whether a probed Redis names a ledger; fails if it could not be asked. */
  static Future<Boolean> names(Future<Void> probed) {
    return probed
        .map(false)
        .recover(
            cause -> isOfOther(cause) ? Future.succeededFuture(true) : Future.failedFuture(cause));
  }

  private static boolean isOfOther(Throwable cause) {
    return ConnectFault.of(cause) == ConnectFault.OTHER_LEDGER;
  }

  private Future<FoundKafka> findKafka() {
    return KafkaAdmin.open(vertx, config.kafka())
        .compose(
            admin ->
                topics(admin)
                    .compose(
                        topics ->
                            weaknesses(admin).map(weak -> new FoundKafka(admin, topics, weak))));
  }

  private Future<Database> database() {
    return retry
        .until(MYSQL, () -> Migrations.run(vertx, config.mysql(), adoptLog != null))
        .onSuccess(migrated -> readiness.report(MYSQL, true, "schema is up to date"))
        .map(migrated -> open(config.mysql().forOwners(), "owners"));
  }

  Database open(MysqlConfig share, String use) {
    return Database.open(vertx, share, meters, decorator.pools(), use);
  }

  private Future<TopicInfo> topics(KafkaAdmin admin) {
    return untilKafka(() -> new KafkaTopics(vertx, admin, config.kafka()).ensure())
        .compose(
            info ->
                info.mismatches().isEmpty()
                    ? Future.succeededFuture(info)
                    : Future.failedFuture(
                        new IdentityMismatchException(String.join("; ", info.mismatches()))))
        .onSuccess(info -> readiness.report(KAFKA, true, THERE));
  }

  private Future<List<String>> weaknesses(KafkaAdmin admin) {
    return new KafkaTopics(vertx, admin, config.kafka()).weaknesses();
  }

  /**
   * Before anything is founded: checks that Redis can be used, and names no other ledger. Only
   * connections in use name this one, in a Redis that names none.
   */
  private Future<Void> aloneInRedis(String ledger) {
    RedisConnector connector = redis;
    return connector == null
        ? Future.succeededFuture()
        : retry
            .until(
                REDIS,
                () ->
                    RedisStocks.probe(connector.of(ledger))
                        .recover(cause -> Future.failedFuture(finalIfOfOther(cause))))
            .onSuccess(up -> readiness.report(REDIS, true, "answers"));
  }

  private static Throwable finalIfOfOther(Throwable cause) {
    return isOfOther(cause)
        ? new IdentityMismatchException(String.valueOf(cause.getMessage()))
        : cause;
  }

  private Future<Void> agreed(Opened opened) {
    LedgerIdentity identity = new MySqlLedgerIdentity(opened.database);
    return founded(identity, opened.keys.id(), opened.kafka)
        .compose(same -> retry.until(MYSQL, opened.presence::write));
  }

  private Future<Void> founded(LedgerIdentity identity, String ledger, @Nullable FoundKafka kafka) {
    if (kafka == null) {
      return retry.until(MYSQL, identity::noOrderLog);
    }
    TopicInfo topics = kafka.topics();
    String topic = config.kafka().ordersTopic();
    Supplier<Future<Map<Integer, Long>>> ends =
        () -> kafka.admin().endOffsets(topic, topics.partitions());
    // Asked for only when the ledger is founded: later there is no way back.
    Supplier<Future<Map<Integer, Long>>> begin =
        () -> topics.more() == 0 ? ends.get() : Future.failedFuture(tooMany(topics));
    Supplier<Future<Map<Integer, Long>>> begins =
        () -> kafka.admin().beginOffsets(topic, topics.partitions());
    return alone(ledger, kafka.admin())
        .compose(alone -> aloneInRedis(ledger))
        .compose(
            alone ->
                new FoundationCheck(identity, topics, begin)
                    .agree(
                        retry,
                        config.kafka().group(),
                        adoptLog == null ? null : adoptLog == AdoptedFrom.BEGIN ? begins : ends));
  }

  /** Before anything is founded: a ledger that is another's guest must not keep its topic's id. */
  private Future<Void> alone(String ledger, KafkaAdmin admin) {
    log.atInfo().addKeyValue("ledger", ledger).log("the ledger is known to others by its id");
    String group = config.kafka().group();
    return retry
        .until(KAFKA, () -> others(admin, ledger))
        .compose(
            others ->
                others.isEmpty()
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        new IdentityMismatchException(
                            "Expected kafka.group %s to be of ledger %s alone, but instances of ledger %s are in it; give each ledger topics and a group of its own"
                                .formatted(group, ledger, String.join(", ", others)))));
  }

  /** The other ledgers in the group of this one. */
  private Future<Set<String>> others(KafkaAdmin admin, String ledger) {
    return classified(admin.otherLedgers(config.kafka().group(), ledger))
        .onSuccess(asked -> readiness.report(KAFKA, true, THERE));
  }

  private static IdentityMismatchException tooMany(TopicInfo topics) {
    return new IdentityMismatchException(
        "Expected the orders topic of a new ledger to have kafka.partitions %d, but it has %d"
            .formatted(topics.partitions(), topics.partitions() + topics.more()));
  }

  /** A step that needs Kafka, retried. */
  <T> Future<T> untilKafka(Supplier<Future<T>> step) {
    return retry.until(KAFKA, () -> classified(step.get()));
  }

  private static <T> Future<T> classified(Future<T> step) {
    return step.recover(cause -> Future.failedFuture(KafkaFailures.classified(cause)));
  }
}
