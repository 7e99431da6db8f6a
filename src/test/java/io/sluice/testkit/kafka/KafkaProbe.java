package io.sluice.testkit.kafka;

import io.sluice.testkit.server.Probe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * Asks a Kafka for its nodes; a broker is listed once it has joined its cluster. The version is not
 * available this way.
 */
public record KafkaProbe(String bootstrapServers, String version) implements Probe {
  private static final int TIMEOUT_MS = 2_000;

  @Override
  public String ask() throws Exception {
    requireListening();
    Map<String, Object> config =
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    Admin admin = Admin.create(config);
    try {
      if (admin.describeCluster().nodes().get(TIMEOUT_MS, TimeUnit.MILLISECONDS).isEmpty()) {
        throw new IOException("no broker has joined yet");
      }
      return version;
    } finally {
      admin.close(Duration.ZERO);
    }
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
