package io.sluice.testkit.kafka;

import io.sluice.testkit.process.Folders;
import io.sluice.testkit.server.Server;
import io.sluice.testkit.server.ServerBackend;
import io.sluice.testkit.server.ServerProcess;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** A real Kafka: one node in KRaft mode that creates no topic by itself. */
public final class KafkaBackend extends ServerBackend {
  private final String bootstrapServers;
  private final Optional<KafkaListeners> listeners;
  private final Optional<Path> data;
  private final Optional<Supplier<ServerProcess>> peers;

  /** A server that is not ours. */
  public KafkaBackend(Server server, String bootstrapServers) {
    super(KafkaFactory.NAME, server);
    this.bootstrapServers = bootstrapServers;
    this.listeners = Optional.empty();
    this.data = Optional.empty();
    this.peers = Optional.empty();
  }

  /** {@code data} is its folder, and {@code peers} starts a second broker, where that can be. */
  public KafkaBackend(
      Server server,
      KafkaListeners listeners,
      Optional<Path> data,
      Optional<Supplier<ServerProcess>> peers) {
    super(KafkaFactory.NAME, server);
    this.bootstrapServers = listeners.bootstrapServers();
    this.listeners = Optional.of(listeners);
    this.data = data;
    this.peers = peers;
  }

  /** Whether a second broker can join it. */
  public boolean extensible() {
    return peers.isPresent();
  }

  /**
   * Starts a second broker of the same cluster, one at a time. New topics may come to lie on it as
   * well while it runs.
   */
  public KafkaPeer startPeer() {
    return new KafkaPeer(peers.orElseThrow().get(), this);
  }

  /** Whether its data can be saved and restored. */
  public boolean restorable() {
    return data.isPresent();
  }

  /** Copies its data aside, for {@link #restoreData}. Only while it is stopped. */
  public Path saveData() {
    requireStopped("saveData()");
    Path folder = data.orElseThrow();
    Path copy = folder.resolveSibling("saved-" + UUID.randomUUID());
    Folders.copy(folder, copy);
    return copy;
  }

  /** Puts older data in place, so that Kafka comes back in the past. Only while it is stopped. */
  public void restoreData(Path copy) {
    requireStopped("restoreData()");
    Path folder = data.orElseThrow();
    Folders.delete(folder);
    Folders.copy(copy, folder);
  }

  /** Where it listens, such as {@code 127.0.0.1:20456}. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  public KafkaListeners listeners() {
    return listeners.orElseThrow(
        () -> new UnsupportedOperationException("only a Kafka of ours can be led through a proxy"));
  }
}
