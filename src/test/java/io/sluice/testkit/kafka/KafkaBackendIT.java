package io.sluice.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.server.Backends;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each kind of fault that the backend of the shared Kafka offers. */
class KafkaBackendIT {
  private static final int LIMIT_S = 20;

  private final KafkaBackend unit = Backends.shared().kafka();
  private String topic;

  @BeforeEach
  void createTopic() throws Exception {
    topic = "sale-" + UUID.randomUUID();
    try (Admin admin = Admin.create(client(unit.bootstrapServers()))) {
      admin
          .createTopics(List.of(new NewTopic(topic, 2, (short) 1)))
          .all()
          .get(LIMIT_S, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldDeliverWhatWasSentWhenAsked() throws Exception {
    // when
    send("order");

    // then
    assertThat(readAll(1)).containsExactly("order");
    assertThat(unit.describe()).matches("Kafka.*\\(.+\\)");
  }

  @Test
  void shouldKeepItsRecordsWhenKilledAndStarted() throws Exception {
    // given
    assumeTrue(unit.killable());
    send("before");

    // when
    unit.kill();
    unit.start();

    // then
    send("after");
    assertThat(readAll(2)).containsExactlyInAnyOrder("before", "after");
  }

  @Test
  void shouldAcknowledgeOnlyAfterwardsWhenPaused() throws Exception {
    // given
    assumeTrue(unit.killable());
    try (var producer = producer(unit.bootstrapServers())) {
      producer.send(new ProducerRecord<>(topic, "first")).get(LIMIT_S, TimeUnit.SECONDS);

      // when
      unit.pause();
      Future<RecordMetadata> ack = producer.send(new ProducerRecord<>(topic, "second"));

      // then
      assertThatThrownBy(() -> ack.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      unit.resume();
      assertThat(ack.get(LIMIT_S, TimeUnit.SECONDS)).isNotNull();
    }
  }

  @Test
  void shouldLoseOnlyTheReplyWhenItsProxySwallowsReplies() throws Exception {
    // given
    assumeTrue(unit.killable());
    try (FaultProxy proxy = FaultProxy.inFrontOf(unit);
        var producer = producer(proxy.address())) {
      producer.send(new ProducerRecord<>(topic, "first")).get(LIMIT_S, TimeUnit.SECONDS);

      // when
      proxy.swallowReplies();
      Future<RecordMetadata> ack = producer.send(new ProducerRecord<>(topic, "second"));

      // then
      assertThat(readAll(2)).containsExactlyInAnyOrder("first", "second");
      assertThat(ack.isDone()).isFalse();
      proxy.heal();
      assertThat(ack.get(LIMIT_S, TimeUnit.SECONDS)).isNotNull();
    }
  }

  private void send(String value) throws Exception {
    try (var producer = producer(unit.bootstrapServers())) {
      producer.send(new ProducerRecord<>(topic, value)).get(LIMIT_S, TimeUnit.SECONDS);
    }
  }

  private List<String> readAll(int count) {
    List<String> values = new ArrayList<>();
    Map<String, Object> config = client(unit.bootstrapServers());
    config.put("group.id", topic);
    config.put("auto.offset.reset", "earliest");
    var strings = new StringDeserializer();
    try (var consumer = new KafkaConsumer<>(config, strings, strings)) {
      consumer.subscribe(List.of(topic));
      await()
          .atMost(Duration.ofSeconds(LIMIT_S))
          .pollInSameThread()
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(sent -> values.add(sent.value()));
                return values.size() >= count;
              });
    }
    return values;
  }

  private static KafkaProducer<String, String> producer(String bootstrapServers) {
    Map<String, Object> config = client(bootstrapServers);
    config.put("acks", "all");
    return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
  }

  private static Map<String, Object> client(String bootstrapServers) {
    return new HashMap<>(Map.of("bootstrap.servers", bootstrapServers));
  }
}
