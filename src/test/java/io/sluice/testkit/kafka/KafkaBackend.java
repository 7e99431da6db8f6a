package io.sluice.testkit.kafka;

import io.sluice.testkit.process.DataFolder;
import io.sluice.testkit.server.BackendException;
import io.sluice.testkit.server.Server;
import io.sluice.testkit.server.ServerBackend;
import io.sluice.testkit.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaFuture;

/** A real Kafka: one node in KRaft mode, without automatic creation of topics. */
public final class KafkaBackend extends ServerBackend {
  private final String bootstrapServers;
  private final Optional<KafkaListeners> listeners;
  private final Optional<DataFolder> data;
  private final Optional<IntFunction<ServerProcess>> peers;

  /** A server that the environment names. */
  public KafkaBackend(Server server, String bootstrapServers) {
    super(KafkaFactory.NAME, server);
    this.bootstrapServers = bootstrapServers;
    this.listeners = Optional.empty();
    this.data = Optional.empty();
    this.peers = Optional.empty();
  }

  /**
   * {@code data} is its folder; {@code peers} starts another broker with this id, where that is
   * possible.
   */
  public KafkaBackend(
      Server server,
      KafkaListeners listeners,
      Optional<DataFolder> data,
      Optional<IntFunction<ServerProcess>> peers) {
    super(KafkaFactory.NAME, server);
    this.bootstrapServers = listeners.bootstrapServers();
    this.listeners = Optional.of(listeners);
    this.data = data;
    this.peers = peers;
  }

  /** Whether other brokers can join it. */
  public boolean extensible() {
    return peers.isPresent();
  }

  /** Starts the second broker of the same cluster; {@link #startPeer(int)}. */
  public KafkaPeer startPeer() {
    return startPeer(2);
  }

  /**
   * Starts another broker of the same cluster. New topics may be placed on it while it runs.
   *
   * @param nodeId from 2, each once at a time
   */
  public KafkaPeer startPeer(int nodeId) {
    return new KafkaPeer(peers.orElseThrow().apply(nodeId), this, nodeId);
  }

  /** Whether its data can be saved and restored. */
  public boolean restorable() {
    return data.isPresent();
  }

  /** Copies its data, for {@link #restoreData}. Only while it is stopped. */
  public Path saveData() {
    requireStopped("saveData()");
    return data.orElseThrow().save();
  }

  /** Restores older data, so that Kafka restarts in an earlier state. Only while it is stopped. */
  public void restoreData(Path copy) {
    requireStopped("restoreData()");
    data.orElseThrow().restore(copy);
  }

  /** Loses all of its data. Only while it is stopped. */
  public void loseData() {
    requireStopped("loseData()");
    data.orElseThrow().wipe();
  }

  /** Its address, such as {@code 127.0.0.1:20456}. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Asks the broker for something, or to change something, as its administrator. */
  public <T> T ask(Duration limit, Function<Admin, KafkaFuture<T>> question) {
    try {
      return ask(bootstrapServers, limit, question);
    } catch (Exception e) {
      throw new BackendException("the broker did not carry out what it was asked for", e);
    }
  }

  static <T> T ask(
      String bootstrapServers, Duration limit, Function<Admin, KafkaFuture<T>> question)
      throws Exception {
    int limitMs = (int) limit.toMillis();
    Admin admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                limitMs,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                limitMs));
    try {
      return question.apply(admin).get(limitMs, TimeUnit.MILLISECONDS);
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  public KafkaListeners listeners() {
    return listeners.orElseThrow(
        () ->
            new UnsupportedOperationException(
                "only a Kafka started by the tests can be put behind a proxy"));
  }
}
