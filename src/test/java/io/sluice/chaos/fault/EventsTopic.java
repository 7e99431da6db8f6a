package io.sluice.chaos.fault;

import io.sluice.testkit.kafka.TopicReader.Entry;
import io.sluice.testkit.site.SaleSite;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.awaitility.Awaitility;

/**
 * The topic of events, which is deleted and made anew with the same settings. It takes no more
 * events before it is read and deleted, so that the checks have every event that it had.
 */
final class EventsTopic {
  private static final int LIMIT_S = 20;

  private final SaleSite site;
  private final String name;
  private final List<Entry> former = new ArrayList<>();
  private Map<String, String> settings = Map.of();

  EventsTopic(SaleSite site) {
    this.site = site;
    this.name = site.eventsTopic();
  }

  synchronized List<Entry> former() {
    return List.copyOf(former);
  }

  /** Deletes it. */
  synchronized void delete() {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
    try (Admin admin = admin()) {
      settings =
          settingsOf(get(admin.describeConfigs(List.of(resource)).all()).get(resource).entries());
      var closed = new ConfigEntry(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2");
      get(
          admin
              .incrementalAlterConfigs(
                  Map.of(resource, List.of(new AlterConfigOp(closed, AlterConfigOp.OpType.SET))))
              .all());
      former.addAll(site.topics().all(name));
      get(admin.deleteTopics(List.of(name)).all());
    }
  }

  /** Makes it anew, once it is gone. */
  synchronized void make() {
    try (Admin admin = admin()) {
      Awaitility.await()
          .atMost(LIMIT_S, TimeUnit.SECONDS)
          .until(() -> !get(admin.listTopics().names()).contains(name));
      get(
          admin
              .createTopics(
                  List.of(new NewTopic(name, site.partitions(), (short) 1).configs(settings)))
              .all());
    }
  }

  private Admin admin() {
    return Admin.create(
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            site.backends().kafka().bootstrapServers()));
  }

  private static Map<String, String> settingsOf(Collection<ConfigEntry> entries) {
    return entries.stream()
        .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
        .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
  }

  private <T> T get(KafkaFuture<T> answer) {
    return call(() -> answer.get(LIMIT_S, TimeUnit.SECONDS));
  }

  private <T> T call(Callable<T> asked) {
    try {
      return asked.call();
    } catch (Exception e) {
      throw new AssertionError("cannot make the topic " + name + " anew", e);
    }
  }
}
