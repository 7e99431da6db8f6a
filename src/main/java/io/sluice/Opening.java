package io.sluice;

import io.sluice.admin.Readiness;
import io.sluice.config.Config;
import io.sluice.config.MysqlConfig;
import io.sluice.db.Database;
import io.sluice.db.Migrations;
import io.sluice.ledger.IdentityMismatchException;
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
import java.util.List;
import java.util.function.Supplier;

/**
 * Opens what {@link Connections} need first: database, Kafka, Redis, and the foundation that they
 * share. Each step is retried until it succeeds or fails permanently.
 */
record Opening(
    Vertx vertx,
    Config config,
    RedisConnector redis,
    Meters meters,
    PortDecorator decorator,
    Retry retry,
    Readiness readiness,
    boolean adoptLog) {

  /** What is opened first, and belongs together. */
  record Opened(
      Database database,
      byte[] tokenSecret,
      KafkaAdmin kafkaAdmin,
      TopicInfo topics,
      List<String> logWeaknesses,
      Presence presence) {}

  /** Opens all of it, however long it takes. */
  Future<Opened> all() {
    Future<Database> database = database();
    Future<KafkaAdmin> admin = KafkaAdmin.open(vertx, config.kafka());
    Future<TopicInfo> topics = admin.compose(this::topics);
    Future<List<String>> weaknesses = topics.compose(found -> weaknesses(admin.result()));
    Future<Void> probed = probeRedis();
    Future<byte[]> secret =
        database.compose(
            open ->
                retry.until(
                    "mysql",
                    () -> new MySqlLedgerIdentity(open).tokenSecret(config.auth().tokenSecret())));
    return Future.all(secret, weaknesses, probed)
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
        .onSuccess(info -> readiness.report("kafka", true, "topics are there"));
  }

  private Future<List<String>> weaknesses(KafkaAdmin admin) {
    return new KafkaTopics(vertx, admin, config.kafka()).weaknesses();
  }

  /** Only checks that Redis can be used. */
  private Future<Void> probeRedis() {
    return retry
        .until("redis", () -> RedisStocks.probe(redis))
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

  /** A step that needs Kafka, retried. */
  <T> Future<T> untilKafka(Supplier<Future<T>> step) {
    return retry.until(
        "kafka",
        () -> step.get().recover(cause -> Future.failedFuture(KafkaFailures.classified(cause))));
  }
}
