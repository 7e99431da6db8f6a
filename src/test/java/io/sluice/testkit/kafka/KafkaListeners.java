package io.sluice.testkit.kafka;

import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.process.FreePort;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The ports of one broker.
 *
 * @param clients where clients connect
 * @param proxied where a {@link FaultProxy} connects on behalf of its clients
 * @param proxy where that proxy listens; the broker advertises this port to clients that connect
 *     through {@code proxied}
 * @param controller where the broker's own controller listens
 */
public record KafkaListeners(int clients, int proxied, int proxy, int controller) {
  private static final String VOTERS = "controller.quorum.voters";

  public static KafkaListeners startingWith(int clients) {
    return new KafkaListeners(clients, FreePort.next(), FreePort.next(), FreePort.next());
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + clients;
  }

  /** The broker's settings for these ports; {@code bind} is the address to listen on. */
  public Map<String, String> settings(String bind) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put(VOTERS, "1@127.0.0.1:" + controller);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("inter.broker.listener.name", "CLIENTS");
    settings.put(
        "listener.security.protocol.map",
        "CLIENTS:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put(
        "listeners",
        "CLIENTS://%s:%d,PROXIED://%s:%d,CONTROLLER://127.0.0.1:%d"
            .formatted(bind, clients, bind, proxied, controller));
    settings.put(
        "advertised.listeners",
        "CLIENTS://127.0.0.1:%d,PROXIED://127.0.0.1:%d".formatted(clients, proxy));
    return settings;
  }

  /** The settings of another broker with these ports, in the cluster of the first one. */
  Map<String, String> peerSettings(int nodeId, KafkaListeners first) {
    Map<String, String> settings = settings("127.0.0.1");
    settings.put("process.roles", "broker");
    settings.put("node.id", String.valueOf(nodeId));
    settings.put(VOTERS, first.settings("127.0.0.1").get(VOTERS));
    settings.put(
        "listeners", "CLIENTS://127.0.0.1:%d,PROXIED://127.0.0.1:%d".formatted(clients, proxied));
    // It has no proxy: clients that use the first broker's proxy connect to it directly.
    settings.put(
        "advertised.listeners",
        "CLIENTS://127.0.0.1:%d,PROXIED://127.0.0.1:%d".formatted(clients, proxied));
    return settings;
  }
}
