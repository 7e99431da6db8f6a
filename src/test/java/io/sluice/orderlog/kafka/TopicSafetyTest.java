package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.orderlog.kafka.KafkaTopics.TopicSafety;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicSafetyTest {
  private static final Uuid ID = new Uuid(1, 2);
  private static final Map<String, String> SAFE =
      Map.of(
          "min.insync.replicas", "2",
          "retention.ms", "604800000",
          "retention.bytes", "-1",
          "cleanup.policy", "delete",
          "unclean.leader.election.enable", "false");

  @ParameterizedTest
  @CsvSource({
    "0, 1, -1,",
    "0, 2, -1,",
    "0, 3, 3, 2",
    "0, 5, 3, 2",
    "1, 3, 1,",
    "2, 3, 2,",
    "3, 3, 3, 2",
    "5, 5, 5, 2",
  })
  void shouldReplicateWhenThereAreBrokersForIt(
      int configured, int brokers, short replicas, String minInSync) {
    // when
    NewTopic topic = TopicSafety.planned("orders", 4, Duration.ofDays(7), configured, brokers);

    // then
    assertThat(topic.numPartitions()).isEqualTo(4);
    assertThat(topic.replicationFactor()).isEqualTo(replicas);
    assertThat(topic.configs())
        .containsEntry("cleanup.policy", "delete")
        .containsEntry("retention.ms", "604800000");
    assertThat(topic.configs().get("min.insync.replicas")).isEqualTo(minInSync);
  }

  @Test
  void shouldSayNothingWhenALogIsSafe() {
    // when
    List<String> weaknesses = TopicSafety.weaknesses(ID, 3, SAFE);

    // then
    assertThat(weaknesses).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "min.insync.replicas|1|min.insync.replicas is 1, should be at least 2",
        "retention.ms|604799999|retention.ms is 604799999, should be at least 604800000",
        "retention.bytes|1000|retention.bytes is 1000, should be -1",
        "cleanup.policy|compact|cleanup.policy is compact, should be delete",
        "cleanup.policy|compact,delete|cleanup.policy is compact,delete, should be delete",
        "unclean.leader.election.enable|true|unclean.leader.election.enable is true, should be"
            + " false",
      })
  void shouldNameTheSettingWhenItIsLessSafe(String name, String value, String weakness) {
    // given
    Map<String, String> settings = new HashMap<>(SAFE);
    settings.put(name, value);

    // when
    List<String> weaknesses = TopicSafety.weaknesses(ID, 3, settings);

    // then
    assertThat(weaknesses).containsExactly(weakness);
  }

  @Test
  void shouldTakeAnyTimeWhenRecordsAreKeptForGood() {
    // given
    Map<String, String> settings = new HashMap<>(SAFE);
    settings.put("retention.ms", "-1");

    // when
    List<String> weaknesses = TopicSafety.weaknesses(ID, 3, settings);

    // then
    assertThat(weaknesses).isEmpty();
  }

  @Test
  void shouldNameReplicationWhenAPartitionHasFewerCopies() {
    // when
    List<String> weaknesses = TopicSafety.weaknesses(ID, 2, SAFE);

    // then
    assertThat(weaknesses).containsExactly("replication.factor is 2, should be 3");
  }

  /** As brokers older than 2.8 answer, and others that speak Kafka's protocol. */
  @Test
  void shouldSaySoWhenTheBrokerGivesTopicsNoId() {
    // when
    List<String> weaknesses = TopicSafety.weaknesses(Uuid.ZERO_UUID, 3, SAFE);

    // then
    assertThat(weaknesses)
        .containsExactly(
            "its id is all zero, so one that was deleted and made again is not noticed");
  }
}
