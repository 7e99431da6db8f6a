package io.sluice;

import io.sluice.async.AsyncLoop;
import io.sluice.async.LoopContext.Timers;
import io.sluice.config.Config;
import io.sluice.config.Config.ReservationConfig;
import io.sluice.config.MysqlConfig;
import io.sluice.db.Database;
import io.sluice.db.Migrations;
import io.sluice.ledger.Fence;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.Ledger.InstanceSettings;
import io.sluice.ledger.LedgerKeys;
import io.sluice.ledger.mysql.MySqlInstances;
import io.sluice.ledger.mysql.MySqlLedgerIdentity;
import io.sluice.metrics.Meters;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.Readiness;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.KafkaAdmin;
import io.sluice.orderlog.kafka.KafkaFailures;
import io.sluice.orderlog.kafka.KafkaTopics;
import io.sluice.stock.redis.RedisConnector;
import io.sluice.stock.redis.RedisStock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

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
        database.compose(open -> retry.until(MYSQL, new MySqlLedgerIdentity(open)::keys));
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
                                : new MySqlLedgerIdentity(database.result())
                                    .expect(keys.result()))))
        .compose(opened -> agreed(opened).map(opened));
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
        .until(MYSQL, () -> Migrations.run(vertx, config.mysql()))
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
                    RedisStock.probe(connector.of(ledger))
                        .recover(cause -> Future.failedFuture(finalIfOfOther(cause))))
            .onSuccess(up -> readiness.report(REDIS, true, "answers"));
  }

  private static Throwable finalIfOfOther(Throwable cause) {
    return ConnectFault.of(cause) == ConnectFault.OTHER_LEDGER
        ? new IdentityMismatchException(String.valueOf(cause.getMessage()))
        : cause;
  }

  private Future<Void> agreed(Opened opened) {
    MySqlLedgerIdentity identity = new MySqlLedgerIdentity(opened.database);
    return founded(identity, opened.keys.id(), opened.kafka)
        .compose(same -> retry.until(MYSQL, opened.presence::write));
  }

  private Future<Void> founded(
      MySqlLedgerIdentity identity, String ledger, @Nullable FoundKafka kafka) {
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

  /** Where a new order log is read from that a ledger adopts. */
  enum AdoptedFrom {
    /**
     * Its begin: it has records of this ledger, which was restored to before it adopted this log.
     */
    BEGIN,

    /** Its end: the records in it are of others. */
    END
  }

  /**
   * The facts about Kafka before it is used.
   *
   * @param weaknesses of the order log for a sale
   */
  record FoundKafka(KafkaAdmin admin, TopicInfo topics, List<String> weaknesses) {}

  /**
   * The registration of this instance in the ledger, with the deadlines that other instances must
   * respect.
   */
  static final class Presence {
    /** A shutdown waits no longer than this for an unavailable ledger. */
    private static final Duration LEAVE_MAX = Duration.ofMillis(500);

    private final MySqlInstances instances;
    private final InstanceSettings settings;
    private final Supplier<Future<Void>> identity;

    /** Whether the ledger has been this instance's since its row was new. */
    private volatile boolean known;

    private final String id = UUID.randomUUID().toString();

    /**
     * @param identity fails if the ledger is not the one that this instance has started with
     */
    Presence(MySqlInstances instances, ReservationConfig config, Supplier<Future<Void>> identity) {
      this.instances = instances;
      this.identity = identity;
      this.settings = new InstanceSettings(config.grantDeadlineMs(), config.sweepAfterMs());
      log.atInfo().addKeyValue("instance", id).log("the ledger knows this instance by its id");
    }

    /** The id of this instance, by which the ledger and the order log know it. */
    String id() {
      return id;
    }

    /**
     * Called before the first grant and then periodically. Also shows whether the ledger accepts
     * writes. If its row is gone, the ledger was restored to before this instance started: it may
     * have lost what tells it from others, or be another one.
     */
    Future<Void> write() {
      return instances
          .keep(id, settings)
          .compose(
              isNew -> {
                known &= !isNew;
                return known
                    ? Future.succeededFuture()
                    : identity.get().onSuccess(same -> known = true);
              });
    }

    /** Called after the last answer to a buyer. */
    Future<Void> leave(Vertx vertx) {
      return Future.any(
              instances.remove(id), vertx.timer(LEAVE_MAX.toMillis(), TimeUnit.MILLISECONDS))
          .transform(left -> Future.succeededFuture());
    }
  }

  /**
   * Compares what this instance has found with what the ledger was founded with. If the operator
   * says that the old order log is lost, founds a new one in the ledger.
   *
   * @param ends reads the end offset of each partition
   */
  record FoundationCheck(
      MySqlLedgerIdentity foundation, TopicInfo topics, Supplier<Future<Map<Integer, Long>>> ends) {

    /**
     * Fails with {@link io.sluice.ledger.IdentityMismatchException} if they differ, or there is
     * nothing to adopt.
     *
     * @param adoptAt reads the offsets at which a new order log is begun that the ledger adopts;
     *     null if it adopts none
     */
    Future<Void> agree(
        Retry retry, String group, @Nullable Supplier<Future<Map<Integer, Long>>> adoptAt) {
      return (adoptAt == null ? Future.<Void>succeededFuture() : adopt(retry, group, adoptAt))
          .compose(
              adopted ->
                  retry.until(
                      MYSQL,
                      () -> foundation.orderLog(topics.partitions(), topics.topicId(), ends)))
          .compose(same -> retry.until(MYSQL, () -> foundation.group(group)));
    }

    /**
     * The loss is reported before anything is changed: a kill right after the change must leave it
     * named.
     */
    private Future<Void> adopt(
        Retry retry, String group, Supplier<Future<Map<Integer, Long>>> adoptAt) {
      return retry
          .until(MYSQL, () -> foundation.group(group))
          .compose(same -> retry.until(KAFKA, () -> all(adoptAt)))
          .compose(
              known ->
                  retry
                      .until(
                          MYSQL, () -> foundation.adoptable(topics.partitions(), topics.topicId()))
                      .compose(
                          before -> {
                            before.forEach(this::tellIntended);
                            return change(known);
                          }));
    }

    /**
     * Not retried: after a failure whose outcome is unknown, the new log may be the ledger's
     * already, which a second attempt would refuse.
     */
    private Future<Void> change(Map<Integer, Long> known) {
      return foundation
          .adoptLog(topics.partitions(), topics.topicId(), known)
          .onSuccess(before -> before.forEach(this::tellDone))
          .mapEmpty();
    }

    private Future<Map<Integer, Long>> all(Supplier<Future<Map<Integer, Long>>> offsets) {
      return offsets
          .get()
          .compose(
              known ->
                  known.size() == topics.partitions()
                      ? Future.succeededFuture(known)
                      : Future.failedFuture(
                          new LogUnavailableException(
                              "Expected the offsets of every partition of the new order log")));
    }

    private void tellIntended(Fence fence) {
      tell(log.atWarn(), fence)
          .log(
              "adopting a new order log; records of the old one from this offset on would be given"
                  + " up, except for grants that Redis has");
    }

    private void tellDone(Fence fence) {
      tell(log.atWarn(), fence)
          .log(
              "a new order log is adopted; records of the old one from this offset on are given up,"
                  + " except for grants that Redis has, which are booked now");
    }

    /** Names what is given up: nobody can say what the lost records were. */
    private LoggingEventBuilder tell(LoggingEventBuilder line, Fence fence) {
      return line.addKeyValue("partition", fence.partition())
          .addKeyValue("topicId", topics.topicId())
          .addKeyValue("unreadFrom", fence.nextOffset());
    }
  }

  /** Retries connecting to a dependency until it succeeds; logs each new reason of failure once. */
  static final class Retry {
    static final Duration EVERY = Duration.ofMillis(500);

    private final Timers timers;
    private final BiConsumer<String, ConnectFault> listener;
    private final Predicate<Throwable> isFinal;
    private volatile boolean stopped;

    /**
     * @param listener is told the part of each failed attempt, and the fault
     * @param isFinal failures that are not retried
     */
    Retry(Timers timers, BiConsumer<String, ConnectFault> listener, Predicate<Throwable> isFinal) {
      this.timers = timers;
      this.listener = listener;
      this.isFinal = isFinal;
    }

    <T> Future<T> until(String part, Supplier<Future<T>> attempt) {
      AtomicReference<T> reached = new AtomicReference<>();
      AtomicReference<String> lastWhy = new AtomicReference<>("");
      return AsyncLoop.whileTrue(
              () ->
                  attempt
                      .get()
                      .transform(
                          (value, failure) -> {
                            if (failure != null) {
                              return failed(part, failure, lastWhy);
                            }
                            reached.set(value);
                            return Future.succeededFuture(false);
                          }))
          .map(done -> reached.get());
    }

    /** No attempt is started after this. */
    void stop() {
      stopped = true;
    }

    /** Whether to retry, after a pause. */
    private Future<Boolean> failed(
        String part, Throwable failure, AtomicReference<String> lastWhy) {
      if (stopped || isFinal.test(failure)) {
        return Future.failedFuture(failure);
      }
      ConnectFault fault = ConnectFault.of(failure);
      String why = ConnectFault.line(failure);
      listener.accept(part, fault);
      if (!why.equals(lastWhy.getAndSet(why))) {
        log.atWarn()
            .addKeyValue("part", part)
            .addKeyValue("reason", fault.text())
            .addKeyValue("cause", why)
            .log("dependency unavailable; retried until it succeeds");
      }
      return timers.after(EVERY).map(true);
    }
  }
}
