package io.sluice.bench.schemes;

import io.vertx.core.VertxException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Books the queue's orders, each in a transaction of its own, on its own thread. */
final class QueueConsumer extends Thread {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int SQL_LIMIT_S = 30;

  private final Pool pool;
  private final KafkaConsumer<String, String> consumer;

  QueueConsumer(String bootstrapServers, Pool pool) {
    super("scheme-consumer");
    setDaemon(true);
    this.pool = pool;
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.GROUP_ID_CONFIG,
                "scheme",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                100,
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                6_000),
            new StringDeserializer(),
            new StringDeserializer());
  }

  @Override
  public void run() {
    consumer.subscribe(List.of(SchemeParts.TOPIC));
    while (!isInterrupted()) {
      for (ConsumerRecord<String, String> order : consumer.poll(POLL)) {
        while (!book(order)) {
          LockSupport.parkNanos(POLL.toNanos());
        }
      }
    }
  }

  /**
   * Whether the order is known to be booked. The benchmark pauses this process for longer than any
   * time-out, so a failure is retried.
   */
  private boolean book(ConsumerRecord<String, String> order) {
    try {
      pool.withTransaction(
              tx ->
                  tx.preparedQuery("INSERT IGNORE INTO scheme_order VALUES (?, ?)")
                      .execute(Tuple.of(Long.parseLong(order.key()), order.value())))
          .await(SQL_LIMIT_S, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException | VertxException e) {
      System.out.println("not known to be booked, retrying: " + e);
      return false;
    }
  }
}
