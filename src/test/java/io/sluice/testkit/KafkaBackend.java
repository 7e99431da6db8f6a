package io.sluice.testkit;

/** A real Kafka: one node in KRaft mode that creates no topic by itself. */
public final class KafkaBackend extends ServerBackend {
  private final String bootstrapServers;

  KafkaBackend(Server server, String bootstrapServers) {
    super(KafkaFactory.NAME, server);
    this.bootstrapServers = bootstrapServers;
  }

  /** Where it listens, such as {@code 127.0.0.1:20456}. */
  public String bootstrapServers() {
    return bootstrapServers;
  }
}
