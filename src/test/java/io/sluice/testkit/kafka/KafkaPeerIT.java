package io.sluice.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.server.Backends;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KafkaPeerIT {
  private static final int LIMIT_S = 20;

  private final KafkaBackend kafka = Backends.shared().kafka();
  private final String topic = "led-" + UUID.randomUUID();

  @Test
  void shouldTakeNoRecordOfItsPartitionWhenItIsKilledAndKeepThemWhenItIsBack() throws Exception {
    // given
    assumeTrue(kafka.extensible());
    createTopic();
    send(1);
    try (KafkaPeer unit = kafka.startPeer()) {
      unit.lead(topic, List.of(1));
      long whileBothRun = send(1);

      // when
      unit.kill();
      unit.awaitLeaders(false);

      // then
      assertThatThrownBy(() -> send(1)).isInstanceOf(ExecutionException.class);
      assertThat(send(0)).isZero();
      unit.start();
      unit.awaitLeaders(true);
      assertThat(whileBothRun).isEqualTo(1);
      assertThat(send(1)).isEqualTo(2);
    }
    assertThat(send(1)).isEqualTo(3);
  }

  private void createTopic() throws Exception {
    try (Admin admin = Admin.create(client())) {
      admin
          .createTopics(List.of(new NewTopic(topic, 2, (short) 1)))
          .all()
          .get(LIMIT_S, TimeUnit.SECONDS);
    }
  }

  private long send(int partition) throws Exception {
    try (var producer =
        new KafkaProducer<>(client(), new StringSerializer(), new StringSerializer())) {
      return producer
          .send(new ProducerRecord<>(topic, partition, null, "order"))
          .get(LIMIT_S, TimeUnit.SECONDS)
          .offset();
    }
  }

  private Map<String, Object> client() {
    return Map.of(
        "bootstrap.servers",
        kafka.bootstrapServers(),
        "request.timeout.ms",
        "1000",
        "delivery.timeout.ms",
        "2000",
        "acks",
        "all");
  }
}
