package io.sluice.testkit.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Writes records to topics directly. */
public final class TopicWriter implements AutoCloseable {
  private static final int LIMIT_S = 15;

  private final KafkaProducer<String, String> producer;

  public TopicWriter(String bootstrapServers) {
    this.producer =
        new KafkaProducer<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
            new StringSerializer(),
            new StringSerializer());
  }

  /** Returns once the broker has acknowledged them, in this order. */
  public void write(String topic, int partition, List<String> records) {
    try {
      for (String record : records) {
        producer
            .send(new ProducerRecord<>(topic, partition, null, record))
            .get(LIMIT_S, TimeUnit.SECONDS);
      }
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("cannot write to " + topic, e);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
