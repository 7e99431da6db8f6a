package io.sluice.testkit;

import java.util.Optional;

/** A real Kafka: one node in KRaft mode that creates no topic by itself. */
public final class KafkaBackend extends ServerBackend {
  private final String bootstrapServers;
  private final Optional<KafkaListeners> listeners;

  /** A server that is not ours. */
  KafkaBackend(Server server, String bootstrapServers) {
    super(KafkaFactory.NAME, server);
    this.bootstrapServers = bootstrapServers;
    this.listeners = Optional.empty();
  }

  KafkaBackend(Server server, KafkaListeners listeners) {
    super(KafkaFactory.NAME, server);
    this.bootstrapServers = listeners.bootstrapServers();
    this.listeners = Optional.of(listeners);
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
