package io.sluice.chaos.fault;

import io.sluice.testkit.kafka.Topics.Entry;
import io.sluice.testkit.server.BackendException;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;

/**
 * The topic of events, which is deleted and made anew with the same settings. It is read just
 * before, so that the checks have every event that it had.
 */
final class EventsTopic {
  private static final Duration STILL = Duration.ofMillis(500);

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

  /** Deletes it, and nothing that the checks have not read: the instances stand still meanwhile. */
  synchronized void delete() {
    List<SluiceProcess> running = site.instances().stream().filter(SluiceProcess::isAlive).toList();
    running.forEach(SluiceProcess::pause);
    try {
      awaitStill();
      var resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
      settings =
          settingsOf(
              ask(admin -> admin.describeConfigs(List.of(resource)).all()).get(resource).entries());
      former.addAll(site.topics().all(name));
      ask(admin -> admin.deleteTopics(List.of(name)).all());
    } finally {
      running.forEach(SluiceProcess::resume);
    }
  }

  /** Makes it anew, unless an instance was faster: each makes the topics that it lacks. */
  synchronized void make() {
    var topic = new NewTopic(name, site.partitions(), (short) 1).configs(settings);
    Awaitility.await()
        .atMost(LogBlows.ASKED_WITHIN)
        .ignoreExceptionsInstanceOf(BackendException.class)
        .until(
            () -> {
              if (!ask(admin -> admin.listTopics().names()).contains(name)) {
                ask(admin -> admin.createTopics(List.of(topic)).all());
              }
              return true;
            });
  }

  /** Until what was on its way when the instances stopped is in the topic. */
  private void awaitStill() {
    var ends = new AtomicReference<Map<Integer, Long>>(Map.of());
    Awaitility.await()
        .atMost(LogBlows.ASKED_WITHIN)
        .during(STILL)
        .until(
            () -> {
              Map<Integer, Long> now = site.topics().endOffsets(name);
              return now.equals(ends.getAndSet(now));
            });
  }

  private static Map<String, String> settingsOf(Collection<ConfigEntry> entries) {
    return entries.stream()
        .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
        .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
  }

  private <T> T ask(Function<Admin, KafkaFuture<T>> question) {
    return site.backends().kafka().ask(LogBlows.ASKED_WITHIN, question);
  }
}
