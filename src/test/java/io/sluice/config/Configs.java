package io.sluice.config;

import java.util.Map;

/** Configurations of tests. */
final class Configs {
  private Configs() {}

  /** Of these variables alone. */
  static Config of(Map<String, String> environment) {
    return Config.read(new Settings(Map.of(), environment));
  }
}
