package io.sluice.orderlog.kafka;

import io.sluice.async.AsyncLoop;
import io.sluice.async.Poll;
import io.sluice.async.TimeLimit;
import io.sluice.config.KafkaConfig;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.LogUnavailableException.LogFullException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.kafka.client.producer.KafkaProducer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A producer that never blocks its caller and limits what is in flight (back-pressure).
 *
 * <p>Vert.x sends on a worker thread, one record after the other, and counts records in flight
 * without a lock. So the limits are enforced here. They are well below the producer's buffer,
 * because its batches may be half empty: a full buffer would block that thread and all sends behind
 * it.
 */
final class BoundedProducer {
  static final int RECORDS_IN_FLIGHT_MAX = 8_192;
  static final long BYTES_IN_FLIGHT_MAX = ClientSettings.PRODUCER_BUFFER_BYTES / 4;

  private static final int WARM_UPS_MAX = 20;

  private final KafkaProducer<String, byte[]> producer;
  private final int deliveryTimeoutMs;
  private final Poll poll;
  private final AtomicInteger records = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * @param raw an {@link AwaitedProducer} that is not used otherwise
   */
  BoundedProducer(Vertx vertx, Producer<String, byte[]> raw, int deliveryTimeoutMs) {
    this.producer = KafkaProducer.create(vertx, raw);
    this.deliveryTimeoutMs = deliveryTimeoutMs;
    this.poll = Poll.onTimers(vertx);
    // Each failure is reported by its Future; without a handler Vert.x would log it again.
    producer.exceptionHandler(told -> {});
  }

  /**
   * Connects, and fetches the metadata of these topics, so that the first send need not wait for
   * it.
   *
   * @param linger how long a record waits for others that can share its request
   */
  static Future<BoundedProducer> open(
      Vertx vertx, KafkaConfig config, Duration linger, List<String> topics) {
    return vertx
        .executeBlocking(() -> new AwaitedProducer(ClientSettings.producer(config, linger)))
        .compose(
            raw ->
                AsyncLoop.forEach(topics, topic -> warmUp(vertx, raw, topic))
                    .map(warm -> new BoundedProducer(vertx, raw, config.deliveryTimeoutMs()))
                    .recover(
                        failure ->
                            vertx
                                .executeBlocking(() -> closed(raw))
                                .transform(x -> Future.failedFuture(failure))));
  }

  private static Void closed(Producer<String, byte[]> raw) {
    raw.close(Duration.ZERO);
    return null;
  }

  /**
   * Each attempt takes up to max.block.ms. Uses Kafka's own producer: that of Vert.x does not
   * report a partition without a leader, which is no reason to fail the start.
   */
  private static Future<Void> warmUp(Vertx vertx, Producer<String, byte[]> raw, String topic) {
    AtomicInteger triesLeft = new AtomicInteger(WARM_UPS_MAX);
    return AsyncLoop.whileTrue(
        () ->
            vertx
                .executeBlocking(() -> raw.partitionsFor(topic))
                .map(false)
                .recover(
                    failure ->
                        triesLeft.decrementAndGet() > 0
                            ? Future.succeededFuture(true)
                            : Future.failedFuture(
                                new LogUnavailableException(
                                    "Expected the metadata of topic %s, but it is not available"
                                        .formatted(topic),
                                    failure))));
  }

  /**
   * Sends one record and waits for the ack of all in-sync replicas, at most delivery.timeout.ms.
   * After a failure the outcome is unknown, unless it is {@link LogFullException}.
   *
   * @return the record's offset, on the caller's context
   */
  Future<Long> send(AwaitedRecord record) {
    int size = record.value().length;
    if (!take(size)) {
      return Future.failedFuture(full());
    }
    Future<RecordMetadata> ack =
        producer.asStream().send(record).onComplete(done -> giveBack(size));
    return TimeLimit.of(deliveryTimeoutMs, ack)
        .transform((sent, failure) -> offset(record, sent, failure));
  }

  private static LogFullException full() {
    return new LogFullException(
        "Expected at most %d records or %d bytes in flight, but there are as many"
            .formatted(RECORDS_IN_FLIGHT_MAX, BYTES_IN_FLIGHT_MAX));
  }

  /**
   * Waits until at most half as much is in flight as may be; at most delivery.timeout.ms, then it
   * fails with {@link LogFullException}. For callers that wait anyway and share this producer.
   */
  Future<Void> room() {
    return poll.until(
            poll.deadline(Duration.ofMillis(deliveryTimeoutMs)),
            () -> Future.succeededFuture(hasRoom()),
            has -> has)
        .compose(has -> has ? Future.succeededFuture() : Future.failedFuture(full()));
  }

  private boolean hasRoom() {
    return records.get() <= RECORDS_IN_FLIGHT_MAX / 2 && bytes.get() <= BYTES_IN_FLIGHT_MAX / 2;
  }

  private static Future<Long> offset(
      AwaitedRecord record, @Nullable RecordMetadata sent, @Nullable Throwable failure) {
    if (sent != null) {
      return Future.succeededFuture(sent.offset());
    }
    record.giveUp();
    return Future.failedFuture(
        new LogUnavailableException(
            "Expected the ack of a record of %s-%d, but: %s"
                .formatted(record.topic(), record.partition(), failure),
            failure));
  }

  /** The number of records that are sent and neither acknowledged nor failed. */
  int inFlight() {
    return records.get();
  }

  private boolean take(int size) {
    boolean fits =
        records.incrementAndGet() <= RECORDS_IN_FLIGHT_MAX
            & bytes.addAndGet(size) <= BYTES_IN_FLIGHT_MAX;
    if (!fits) {
      giveBack(size);
    }
    return fits;
  }

  private void giveBack(int size) {
    records.decrementAndGet();
    bytes.addAndGet(-size);
  }

  /** Waits for records in flight, at most delivery.timeout.ms. */
  Future<Void> close() {
    return producer.close(deliveryTimeoutMs);
  }

  /**
   * A record whose sender can give up on it. Sends queue behind one that blocks; those given up in
   * the meantime are not sent. So a failed append may still appear in the log, but not minutes
   * later.
   */
  static final class AwaitedRecord extends ProducerRecord<String, byte[]> {
    private volatile boolean givenUp;

    AwaitedRecord(String topic, int partition, @Nullable String key, byte[] value) {
      super(topic, partition, key, value);
    }

    void giveUp() {
      givenUp = true;
    }

    /** Throws if the sender has given up. */
    static void requireAwaited(ProducerRecord<String, byte[]> record) {
      if (record instanceof AwaitedRecord awaited && awaited.givenUp) {
        throw new TimeoutException("Expected a sender that waits, but it has given up");
      }
    }
  }

  /** Kafka's producer, which refuses an {@link AwaitedRecord} whose sender has given up. */
  static final class AwaitedProducer
      extends org.apache.kafka.clients.producer.KafkaProducer<String, byte[]> {
    AwaitedProducer(Map<String, Object> settings) {
      super(settings, new StringSerializer(), new ByteArraySerializer());
    }

    @Override
    public java.util.concurrent.Future<RecordMetadata> send(
        ProducerRecord<String, byte[]> record, Callback callback) {
      AwaitedRecord.requireAwaited(record);
      return super.send(record, callback);
    }
  }
}
