package io.sluice.config;

import io.sluice.config.value.Settings;
import io.sluice.config.value.StringKey;

/** How log lines are written. */
public record LogConfig(String format) {
  private static final String JSON = "json";
  static final StringKey FORMAT =
      StringKey.of("log.format", "text", "text or json", "text|" + JSON);

  public LogConfig {
    FORMAT.check(format);
  }

  static LogConfig read(Settings settings) {
    return new LogConfig(settings.text(FORMAT));
  }

  public boolean isJson() {
    return format.equals(JSON);
  }
}
