package io.sluice.testkit.site;

import io.sluice.testkit.server.Backends;
import java.util.Map;

/** The settings of a site's instances that its test does not override. */
final class SiteDefaults {
  private SiteDefaults() {}

  /** Topics and a group of its own, on these servers. */
  static Map<String, String> of(Backends backends, String database, String redis, String id) {
    return Map.of(
        "SLUICE_MYSQL_URI",
        database,
        "SLUICE_REDIS_URI",
        redis,
        "SLUICE_KAFKA_BOOTSTRAP_SERVERS",
        backends.kafka().bootstrapServers(),
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
