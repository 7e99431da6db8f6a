package io.sluice.testkit;

import java.util.Map;

/** Runs the servers in containers. */
final class DockerServers {
  private DockerServers() {}

  static RedisBackend redis(StartContext context, Map<String, String> settings) {
    throw new BackendException("not yet");
  }

  static KafkaBackend kafka(StartContext context, Map<String, String> settings) {
    throw new BackendException("not yet");
  }

  static MysqlBackend mysql(StartContext context, Map<String, String> settings) {
    throw new BackendException("not yet");
  }
}
