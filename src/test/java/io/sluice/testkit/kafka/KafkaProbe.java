package io.sluice.testkit.kafka;

import io.sluice.testkit.server.Probe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * Asks a Kafka for its nodes; a broker is listed once it has joined its cluster. The version is not
 * available this way.
 */
public record KafkaProbe(String bootstrapServers, String version) implements Probe {
  private static final int TIMEOUT_MS = 2_000;

  @Override
  public String ask() throws Exception {
    requireListening();
    var nodes =
        KafkaBackend.ask(
            bootstrapServers,
            Duration.ofMillis(TIMEOUT_MS),
            admin -> admin.describeCluster().nodes());
    if (nodes.isEmpty()) {
      throw new IOException("no broker has joined yet");
    }
    return version;
  }

  /** Waits for the port first, since the client logs each refused connection. */
  private void requireListening() throws IOException {
    String first = bootstrapServers.split(",")[0];
    int colon = first.lastIndexOf(':');
    try (Socket socket = new Socket()) {
      int port = Integer.parseInt(first.substring(colon + 1));
      socket.connect(new InetSocketAddress(first.substring(0, colon), port), TIMEOUT_MS);
    }
  }
}
