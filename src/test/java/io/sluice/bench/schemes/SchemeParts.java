package io.sluice.bench.schemes;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLBuilder;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringSerializer;

/** What the schemes are built from: each event loop has one held connection to Redis and a pool. */
final class SchemeParts {
  static final String TOPIC = "scheme-orders";
  private static final int PARTITIONS = 8;
  private static final int LIMIT_S = 30;
  private static final int POOL = 16;
  private static final int IN_FLIGHT_MAX = 10_000;

  private final Vertx vertx;
  private final RedisConnection redis;
  private final Pool pool;
  private final KafkaProducer<String, String> producer;

  private SchemeParts(
      Vertx vertx, RedisConnection redis, Pool pool, KafkaProducer<String, String> producer) {
    this.vertx = vertx;
    this.redis = redis;
    this.pool = pool;
    this.producer = producer;
  }

  /** Connects; must be called on the event loop that will use it. */
  static Future<SchemeParts> connect(
      Vertx vertx, String redisUri, Pool pool, KafkaProducer<String, String> producer) {
    RedisOptions options =
        new RedisOptions().setConnectionString(redisUri).setMaxWaitingHandlers(IN_FLIGHT_MAX);
    return Redis.createClient(vertx, options)
        .connect()
        .map(redis -> new SchemeParts(vertx, redis, pool, producer));
  }

  static Pool pool(Vertx vertx, String uri) {
    return MySQLBuilder.pool()
        .with(new PoolOptions().setMaxSize(POOL))
        .connectingTo(MySQLConnectOptions.fromUri(uri).setCachePreparedStatements(true))
        .using(vertx)
        .build();
  }

  /** Fetches the topic's metadata now, since the first send would block its event loop for it. */
  static KafkaProducer<String, String> producer(String bootstrapServers) {
    createTopic(bootstrapServers);
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.ACKS_CONFIG,
                "all"),
            new StringSerializer(),
            new StringSerializer());
    producer.partitionsFor(TOPIC);
    return producer;
  }

  /** The topic already exists when the scheme restarts after a kill. */
  private static void createTopic(String bootstrapServers) {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      if (!admin.listTopics().names().get(LIMIT_S, TimeUnit.SECONDS).contains(TOPIC)) {
        admin
            .createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
            .all()
            .get(LIMIT_S, TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the broker did not create the topic", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  Vertx vertx() {
    return vertx;
  }

  KafkaProducer<String, String> producer() {
    return producer;
  }

  Future<Response> redis(Command command, Object... arguments) {
    Request request = Request.cmd(command);
    for (Object argument : arguments) {
      request.arg(argument.toString());
    }
    return redis.send(request);
  }

  Future<Long> number(Command command, Object... arguments) {
    return redis(command, arguments).map(reply -> reply == null ? 0 : reply.toLong());
  }

  Future<RowSet<Row>> sql(String statement, Object... values) {
    return pool.preparedQuery(statement).execute(Tuple.wrap(values));
  }

  static Future<RowSet<Row>> sql(SqlConnection in, String statement, Object... values) {
    return in.preparedQuery(statement).execute(Tuple.wrap(values));
  }

  <T> Future<T> transaction(Function<SqlConnection, Future<T>> work) {
    return pool.withTransaction(work);
  }

  /** Inserts the order into the database, unless this mark was set before. */
  Future<Scheme.Verdict> orderOnce(String mark, long skuId, String user) {
    return number(Command.SETNX, mark, user)
        .compose(
            marked ->
                marked == 0
                    ? Future.succeededFuture(Scheme.Verdict.CONFLICT)
                    : sql("INSERT INTO scheme_order VALUES (?, ?)", skuId, user)
                        .map(Scheme.Verdict.GRANTED));
  }

  Future<Long> orders(long skuId) {
    return sql("SELECT COUNT(*) FROM scheme_order WHERE sku_id = ?", skuId)
        .map(rows -> rows.iterator().next().getLong(0));
  }
}
