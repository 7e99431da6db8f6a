package io.sluice.testkit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Reads topics directly, outside of any consumer group, and writes to them. */
public final class Topics implements AutoCloseable {
  /**
   * A record.
   *
   * @param key null where it has none
   * @param traceparent the header of this name; null where it has none
   */
  public record Entry(int partition, long offset, String key, String value, String traceparent) {

    /** A record without a trace. */
    public Entry(int partition, long offset, String key, String value) {
      this(partition, offset, key, value, null);
    }

    public JsonObject json() {
      return new JsonObject(value);
    }
  }

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private final String bootstrapServers;
  private final KafkaConsumer<String, String> consumer;

  public Topics(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                (int) LIMIT.toMillis()),
            new StringDeserializer(),
            new StringDeserializer());
  }

  /** By partition, the offset of the next record. Empty where the topic does not exist. */
  public synchronized Map<Integer, Long> endOffsets(String topic) {
    var ends = new TreeMap<Integer, Long>();
    consumer
        .endOffsets(partitions(topic), LIMIT)
        .forEach((partition, end) -> ends.put(partition.partition(), end));
    return ends;
  }

  /** All records of the topic now, in order per partition. */
  public synchronized List<Entry> all(String topic) {
    Collection<TopicPartition> partitions = partitions(topic);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, LIMIT);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    var entries = new ArrayList<Entry>();
    long giveUpNs = System.nanoTime() + LIMIT.toNanos();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      if (System.nanoTime() > giveUpNs) {
        throw new AssertionError("cannot read " + topic + " up to " + ends);
      }
      consumer.poll(POLL).forEach(consumed -> entries.add(entry(consumed)));
    }
    return entries;
  }

  /** Appends any record to the topic. */
  public void write(String topic, int partition, String value) {
    write(topic, partition, List.of(value));
  }

  /** Appends these. Returns once the broker has acknowledged them, in this order. */
  public void write(String topic, int partition, List<String> values) {
    write(values.stream().map(value -> record(topic, partition, value)).toList());
  }

  /** Appends a record as of this instance. */
  public void write(String topic, int partition, String value, String instance) {
    var record = record(topic, partition, value);
    record.headers().add("instance", instance.getBytes(UTF_8));
    write(List.of(record));
  }

  private void write(List<ProducerRecord<String, String>> records) {
    try (var producer = producer(Map.of())) {
      for (var record : records) {
        producer.send(record).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("cannot write " + records, e);
    }
  }

  /**
   * Appends a record in a transaction, which leaves a control record behind it: an offset that no
   * consumer ever sees.
   */
  public void writeInTransaction(String topic, int partition, String value) {
    String id = "foreign-" + UUID.randomUUID();
    try (var producer = producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(record(topic, partition, value));
      producer.commitTransaction();
    }
  }

  private static ProducerRecord<String, String> record(String topic, int partition, String value) {
    return new ProducerRecord<>(topic, partition, null, value);
  }

  private KafkaProducer<String, String> producer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  @Override
  public synchronized void close() {
    consumer.close();
  }

  private List<TopicPartition> partitions(String topic) {
    return consumer.listTopics(LIMIT).getOrDefault(topic, List.of()).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  private static Entry entry(ConsumerRecord<String, String> consumed) {
    Header trace = consumed.headers().lastHeader("traceparent");
    return new Entry(
        consumed.partition(),
        consumed.offset(),
        consumed.key(),
        consumed.value(),
        trace == null ? null : new String(trace.value(), UTF_8));
  }
}
