package io.sluice.testkit.server;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings for a set of servers beyond the testkit's own, spelled as in each server's
 * configuration, such as {@code withMysql("innodb-lock-wait-timeout", "1")}.
 */
public record ServerOptions(
    Map<String, String> redis, Map<String, String> kafka, Map<String, String> mysql) {
  public ServerOptions {
    redis = Map.copyOf(redis);
    kafka = Map.copyOf(kafka);
    mysql = Map.copyOf(mysql);
  }

  public static ServerOptions none() {
    return new ServerOptions(Map.of(), Map.of(), Map.of());
  }

  public ServerOptions withRedis(String key, String value) {
    return new ServerOptions(with(redis, key, value), kafka, mysql);
  }

  public ServerOptions withKafka(String key, String value) {
    return new ServerOptions(redis, with(kafka, key, value), mysql);
  }

  public ServerOptions withMysql(String key, String value) {
    return new ServerOptions(redis, kafka, with(mysql, key, value));
  }

  /** The testkit's own settings, overridden by these. */
  public static Map<String, String> over(
      Map<String, String> defaults, Map<String, String> options) {
    Map<String, String> merged = new LinkedHashMap<>(defaults);
    merged.putAll(options);
    return merged;
  }

  private static Map<String, String> with(Map<String, String> map, String key, String value) {
    return over(map, Map.of(key, value));
  }
}
