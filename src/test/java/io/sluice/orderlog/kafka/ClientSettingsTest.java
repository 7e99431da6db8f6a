package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.config.KafkaConfig;
import io.sluice.config.KafkaProperties;
import io.sluice.orderlog.kafka.BoundedProducer.AwaitedProducer;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kafka's client refuses limits that contradict each other, and then nothing would start. */
class ClientSettingsTest {
  private static final Duration LINGER = Duration.ofMillis(10);

  @ParameterizedTest
  @CsvSource({
    "request_timeout_ms below delivery_timeout_ms, 1000, 1500",
    "as long, 1500, 1500",
    "the shortest, 1, 1"
  })
  void shouldBeAcceptedByKafkasClientWhateverTheLimitsOfTheConfiguration(
      String why, int requestMs, int deliveryMs) {
    // when
    Map<String, Object> settings = ClientSettings.producer(config(requestMs, deliveryMs), LINGER);

    // then
    assertThatCode(() -> new AwaitedProducer(settings).close(Duration.ZERO)).as(why).isNull();
  }

  @Test
  void shouldIncludeTheLingerInTheTimeForADelivery() {
    // when
    Map<String, Object> settings = ClientSettings.producer(config(1_500, 1_500), LINGER);

    // then
    assertThat(settings)
        .containsEntry(ProducerConfig.LINGER_MS_CONFIG, 10)
        .containsEntry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 1_490)
        .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 1_500);
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
