package io.sluice.testkit.site;

import io.sluice.testkit.server.Backends;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The settings of a site's instances that its test does not override. */
final class SiteDefaults {
  private static final Predicate<String> LOCAL =
      servers -> servers.contains("127.0.0.1") || servers.contains("localhost");

  private SiteDefaults() {}

  /**
   * Both ports can be reached from this machine only, so that the back office and operators need no
   * token; buyers come from here as well.
   */
  static Map<String, String> ofEachInstance() {
    return Map.of(
        "SLUICE_HTTP_HOST", "127.0.0.1",
        "SLUICE_ADMIN_HOST", "127.0.0.1",
        "SLUICE_AUTH_TRUSTED_PROXIES", "127.0.0.0/8,::1");
  }

  /** The address of the port whose variables begin with this. */
  static String url(Map<String, String> settings, String port) {
    String scheme = settings.containsKey(port + "TLS_CERT_FILE") ? "https" : "http";
    return scheme + "://127.0.0.1:" + settings.get(port + "PORT");
  }

  /**
   * Topics and a group of its own, on these servers. Tests order as often as they like as one
   * buyer. Where nothing fails, a command is waited for until its outcome is known, however busy
   * the machine is.
   */
  static Map<String, String> of(
      Backends backends, String database, String redis, String id, boolean nothingFails) {
    String brokers = backends.kafka().bootstrapServers();
    Map<String, String> settings = new HashMap<>();
    if (!Stream.of(database, redis, brokers).allMatch(LOCAL)) {
      // Servers that the environment names: tests sell on them as they are.
      settings.put(
          "SLUICE_STORES_ACCEPT", "mysql-unverified,redis-without-login,kafka-without-login");
    }
    settings.putAll(ofServers(database, redis, brokers, id, nothingFails));
    return settings;
  }

  private static Map<String, String> ofServers(
      String database, String redis, String brokers, String id, boolean nothingFails) {
    return Map.of(
        "SLUICE_RESERVATION_COMMAND_WAIT_MS",
        nothingFails ? "10000" : "2000",
        "SLUICE_ADMISSION_BUYER_PER_MINUTE",
        "0",
        "SLUICE_MYSQL_URI",
        database,
        "SLUICE_REDIS_URI",
        redis,
        "SLUICE_KAFKA_BOOTSTRAP_SERVERS",
        brokers,
        "SLUICE_KAFKA_ORDERS_TOPIC",
        "orders-" + id,
        "SLUICE_KAFKA_EVENTS_TOPIC",
        "events-" + id,
        "SLUICE_KAFKA_GROUP",
        "ledger-" + id,
        "SLUICE_KAFKA_PARTITIONS",
        "4");
  }
}
