package io.sluice.testkit;

import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** A real Kafka: one node in KRaft mode that creates no topic by itself. */
public final class KafkaBackend extends ServerBackend {
  private final String bootstrapServers;
  private final Optional<KafkaListeners> listeners;
  private final Optional<Path> data;

  /** A server that is not ours. */
  KafkaBackend(Server server, String bootstrapServers) {
    super(KafkaFactory.NAME, server);
    this.bootstrapServers = bootstrapServers;
    this.listeners = Optional.empty();
    this.data = Optional.empty();
  }

  /** {@code data} is its folder, where that is in reach. */
  KafkaBackend(Server server, KafkaListeners listeners, Optional<Path> data) {
    super(KafkaFactory.NAME, server);
    this.bootstrapServers = listeners.bootstrapServers();
    this.listeners = Optional.of(listeners);
    this.data = data;
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

  KafkaListeners listeners() {
    return listeners.orElseThrow(
        () -> new UnsupportedOperationException("only a Kafka of ours can be led through a proxy"));
  }
}
