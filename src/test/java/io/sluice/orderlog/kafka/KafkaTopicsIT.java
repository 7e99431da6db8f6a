package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.config.KafkaConfig;
import io.sluice.orderlog.TopicInfo;
import io.sluice.orderlog.kafka.KafkaTopics.TopicsSeen;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaTopicsIT {
  private final KafkaFixture kafka = new KafkaFixture();
  private final KafkaConfig config = KafkaFixture.config("n" + UUID.randomUUID(), 3);
  private final KafkaTopics unit = topics(config);

  @AfterEach
  void close() {
    kafka.close();
  }

  private KafkaTopics topics(KafkaConfig of) {
    return new KafkaTopics(kafka.vertx(), kafka.admin(), of);
  }

  @Test
  void shouldCreateAllTopicsWhenNoneExists() throws Exception {
    // given
    Admin admin = kafka.rawAdmin();

    // when
    TopicInfo info = kafka.await(unit::ensure);

    // then
    assertThat(info.partitions()).isEqualTo(3);
    assertThat(info.mismatches()).isEmpty();
    assertThat(admin.listTopics().names().get(5, TimeUnit.SECONDS))
        .contains(config.ordersTopic(), config.eventsTopic(), config.ordersTopic() + "-dead");
    Config orders = settings(admin, config.ordersTopic());
    assertThat(orders.get(TopicConfig.CLEANUP_POLICY_CONFIG).value()).isEqualTo("delete");
    assertThat(orders.get(TopicConfig.RETENTION_MS_CONFIG).value()).isEqualTo("604800000");
    assertThat(orders.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).source())
        .as("the broker's default")
        .isNotEqualTo(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG);
  }

  @Test
  void shouldFindTheSameTopicsWhenAskedAgain() {
    // given
    TopicInfo first = kafka.await(unit::ensure);

    // when
    TopicInfo second = kafka.await(unit::ensure);

    // then
    assertThat(second).isEqualTo(first);
    assertThat(kafka.await(unit::look))
        .contains(new TopicsSeen(first, Set.of(), Set.of(), List.of()));
  }

  @Test
  void shouldAgreeWhenTwoInstancesCreateAtOnce() {
    // given
    KafkaTopics other = topics(config);

    // when
    List<TopicInfo> infos =
        kafka.await(
            () -> Future.all(unit.ensure(), other.ensure()).map(both -> both.<TopicInfo>list()));

    // then
    assertThat(infos.get(0)).isEqualTo(infos.get(1));
  }

  @Test
  void shouldSeeNothingWhenTheOrdersTopicIsMissing() throws Exception {
    // given
    Optional<TopicsSeen> before = kafka.await(unit::look);
    kafka.await(unit::ensure);
    Admin admin = kafka.rawAdmin();

    // when
    admin.deleteTopics(Set.of(config.ordersTopic())).all().get(5, TimeUnit.SECONDS);

    // then
    assertThat(before).isEmpty();
    // The broker's metadata lags a little behind the controller's.
    await().until(() -> kafka.await(unit::look).isEmpty());
  }

  @Test
  void shouldCreateASideTopicAnewWhenItIsMissing() throws Exception {
    // given
    kafka.await(unit::ensure);
    Admin admin = kafka.rawAdmin();

    // when
    admin.deleteTopics(Set.of(config.eventsTopic())).all().get(5, TimeUnit.SECONDS);

    // then
    await()
        .until(
            () ->
                kafka
                    .await(unit::look)
                    .orElseThrow()
                    .sideFaults()
                    .contains("topic %s is missing".formatted(config.eventsTopic())));
    await().until(() -> kafka.await(unit::look).orElseThrow().isWhole());
  }

  @Test
  void shouldNameBothCountsWhenATopicHasFewerPartitions() throws Exception {
    // given
    kafka
        .rawAdmin()
        .createTopics(Set.of(new NewTopic(config.ordersTopic(), 2, (short) 1)))
        .all()
        .get(5, TimeUnit.SECONDS);

    // when
    TopicInfo info = kafka.await(unit::ensure);

    // then
    assertThat(info.partitions()).isEqualTo(2);
    assertThat(info.mismatches())
        .containsExactly(
            "Expected topic %s to have 3 partitions, but it has 2".formatted(config.ordersTopic()));
  }

  @Test
  void shouldUseTheConfiguredPartitionsWhenTheTopicHasMore() throws Exception {
    // given
    kafka
        .rawAdmin()
        .createTopics(Set.of(new NewTopic(config.ordersTopic(), 5, (short) 1)))
        .all()
        .get(5, TimeUnit.SECONDS);

    // when
    TopicInfo info = kafka.await(unit::ensure);

    // then
    assertThat(info.mismatches()).isEmpty();
    assertThat(info.partitions()).isEqualTo(3);
    assertThat(info.more()).isEqualTo(2);
  }

  @Test
  void shouldSayWhatIsLessSafeWhenTheTopicsAreThoseOfOneBroker() throws Exception {
    // given
    kafka
        .rawAdmin()
        .createTopics(
            Set.of(
                new NewTopic(config.ordersTopic(), 3, (short) 1)
                    .configs(Map.of("retention.ms", "60000"))))
        .all()
        .get(5, TimeUnit.SECONDS);
    kafka.await(unit::ensure);

    // when
    List<String> weaknesses = kafka.await(unit::weaknesses);

    // then
    assertThat(weaknesses)
        .containsExactly(
            "replication.factor is 1, should be 3",
            "min.insync.replicas is 1, should be at least 2",
            "retention.ms is 60000, should be at least 604800000");
  }

  private static Config settings(Admin admin, String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin.describeConfigs(Set.of(resource)).all().get(5, TimeUnit.SECONDS).get(resource);
  }
}
