package io.sluice.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Configurations of tests. */
final class Configs {
  private Configs() {}

  /** Of these variables alone. */
  static Config of(Map<String, String> environment) {
    return Config.read(new Settings(Map.of(), environment));
  }

  /** Of these variables alone. */
  static Config of(String variables) {
    return of(variables(variables));
  }

  /** Variables like {@code HTTP_PORT=0;REDIS_URI=}: their names have no prefix. */
  static Map<String, String> variables(String text) {
    return Stream.of(text.split(";"))
        .map(variable -> variable.split("=", 2))
        .collect(Collectors.toMap(pair -> "SLUICE_" + pair[0], pair -> pair[1]));
  }

  /** A file with this text. */
  static Path file(Path directory, String yaml) throws IOException {
    return Files.writeString(directory.resolve("sluice.yaml"), yaml);
  }

  /** Why a file with this text is refused. */
  static InvalidConfigException fault(Path directory, String yaml) {
    return catchThrowableOfType(
        InvalidConfigException.class, () -> ConfigLoader.load(file(directory, yaml), Map.of()));
  }
}
