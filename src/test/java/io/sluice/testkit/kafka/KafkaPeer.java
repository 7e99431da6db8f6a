package io.sluice.testkit.kafka;

import io.sluice.testkit.server.BackendException;
import io.sluice.testkit.server.Probe;
import io.sluice.testkit.server.Server;
import io.sluice.testkit.server.ServerBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * Another broker beside the first. A partition that only it leads has no leader while it is killed
 * or stopped, and has one again, with all its records, soon after it is started.
 */
public final class KafkaPeer extends ServerBackend {
  private static final int FIRST_NODE_ID = 1;
  private static final Duration CALL_LIMIT = Duration.ofSeconds(5);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int LOOK_EVERY_MS = 100;

  private final Server server;
  private final KafkaBackend first;
  private final int nodeId;
  private final Set<TopicPartition> led = new LinkedHashSet<>();

  KafkaPeer(Server server, KafkaBackend first, int nodeId) {
    super(name(nodeId), server);
    this.server = server;
    this.first = first;
    this.nodeId = nodeId;
  }

  static String name(int nodeId) {
    return "Kafka's broker " + nodeId;
  }

  /** Asks this broker whether it has joined the cluster. */
  record Joined(String bootstrapServers, int nodeId) implements Probe {
    @Override
    public String ask() throws Exception {
      String version = new KafkaProbe(bootstrapServers, name(nodeId)).ask();
      Collection<Node> nodes =
          KafkaBackend.ask(bootstrapServers, CALL_LIMIT, admin -> admin.describeCluster().nodes());
      if (nodes.stream().noneMatch(node -> node.id() == nodeId)) {
        throw new IOException("it has not joined yet");
      }
      return version;
    }
  }

  /** Moves these partitions to this broker, records included. Returns when it leads them. */
  public void lead(String topic, Collection<Integer> partitions) {
    List<TopicPartition> moved =
        partitions.stream().map(partition -> new TopicPartition(topic, partition)).toList();
    move(moved, nodeId);
    led.addAll(moved);
  }

  /** Moves all partitions back to the first broker. Only while both run. */
  public void giveBack() {
    move(led, FIRST_NODE_ID);
    led.clear();
  }

  /**
   * Returns when the first broker reports no leader, or again a leader, for the partitions that
   * this one led.
   */
  public void awaitLeaders(boolean there) {
    awaitLeaders(led, leader -> there == leader.isPresent());
  }

  /** Moves all partitions back if possible, and removes this broker from the cluster. */
  @Override
  public void close() {
    if (server.running() && !led.isEmpty()) {
      giveBack();
    }
    super.close();
    await(
        "broker %d is removed from the cluster".formatted(nodeId),
        () -> {
          ask(admin -> admin.unregisterBroker(nodeId).all());
          return true;
        });
  }

  private void move(Collection<TopicPartition> partitions, int node) {
    Map<TopicPartition, Optional<NewPartitionReassignment>> moves =
        partitions.stream()
            .collect(
                Collectors.toMap(
                    Function.identity(),
                    all -> Optional.of(new NewPartitionReassignment(List.of(node)))));
    ask(admin -> admin.alterPartitionReassignments(moves).all());
    awaitLeaders(partitions, leader -> leader.filter(id -> id == node).isPresent());
  }

  private void awaitLeaders(
      Collection<TopicPartition> partitions, Function<Optional<Integer>, Boolean> expected) {
    await(
        "the leaders of %s change".formatted(partitions),
        () -> partitions.stream().allMatch(partition -> expected.apply(leader(partition))));
  }

  private Optional<Integer> leader(TopicPartition of) {
    TopicDescription topic =
        ask(admin -> admin.describeTopics(List.of(of.topic())).allTopicNames()).get(of.topic());
    return topic.partitions().stream()
        .filter(partition -> partition.partition() == of.partition())
        .map(TopicPartitionInfo::leader)
        .filter(leader -> leader != null && !leader.isEmpty())
        .map(Node::id)
        .findFirst();
  }

  private <T> T ask(Function<Admin, KafkaFuture<T>> question) {
    return first.ask(CALL_LIMIT, question);
  }

  /** A condition that may throw until it holds. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(String what, Condition condition) {
    Exception last = null;
    long endNs = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < endNs) {
      try {
        if (condition.holds()) {
          return;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BackendException("interrupted before " + what, e);
      } catch (Exception e) {
        last = e;
      }
    }
    throw new BackendException("not within %s: %s".formatted(LIMIT, what), last);
  }
}
