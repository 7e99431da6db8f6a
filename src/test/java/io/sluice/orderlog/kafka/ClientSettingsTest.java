package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.config.KafkaConfig;
import io.sluice.config.KafkaProperties;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kafka's client refuses limits that contradict each other, and then nothing would start. */
class ClientSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "request_timeout_ms below delivery_timeout_ms, 1000, 1500",
    "as long, 1500, 1500",
    "the shortest, 1, 1"
  })
  void shouldBeAcceptedByKafkasClientWhateverTheLimitsOfTheConfiguration(
      String why, int requestMs, int deliveryMs) {
    // when
    Map<String, Object> settings = ClientSettings.producer(config(requestMs, deliveryMs));

    // then
    assertThatCode(() -> opened(settings).close(Duration.ZERO)).as(why).isNull();
  }

  /** Else a backlog of one partition would wait with each fetch. */
  @Test
  void shouldGatherNoMoreOfTheLogThanAPartitionCanGive() {
    // when
    Map<String, Object> settings = ClientSettings.ordersConsumer(config(1_000, 1_500), "member");

    // then
    assertThat((int) settings.get(ConsumerConfig.FETCH_MIN_BYTES_CONFIG))
        .isBetween(2, (int) settings.get(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG));
  }

  private static KafkaProducer<String, byte[]> opened(Map<String, Object> settings) {
    return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
  }

  private static KafkaConfig config(int requestMs, int deliveryMs) {
    return new KafkaConfig(
        "127.0.0.1:1",
        "orders",
        "events",
        1,
        1,
        "group",
        requestMs,
        deliveryMs,
        Math.min(500, deliveryMs),
        1_000,
        "busy",
        KafkaProperties.NONE);
  }
}
