package io.sluice.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads and checks the whole configuration. */
public final class ConfigLoader {
  private static final String SUBSECTION = ".tls";

  /**
   * The configuration that was read.
   *
   * @param warnings one sentence for each environment variable that starts like a key but is none
   */
  public record Loaded(Config config, List<String> warnings) {}

  private ConfigLoader() {}

  /**
   * Reads file and environment; blocks.
   *
   * @param file YAML, or null for the defaults and the environment alone
   * @throws InvalidConfigException if a value is not as expected, or the file cannot be read
   */
  public static Loaded load(@Nullable Path file, Map<String, String> environment) {
    Settings settings = new Settings(file == null ? Map.of() : flattened(read(file)), environment);
    Config config = Config.read(settings);
    settings.checkAllKnown();
    return new Loaded(config, settings.warnings());
  }

  private static JsonObject read(Path file) {
    try {
      String text = new String(Files.readAllBytes(file), UTF_8);
      Object yaml = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
      if (yaml == null) {
        return new JsonObject();
      }
      if (yaml instanceof Map<?, ?> map) {
        return json(map);
      }
      throw unreadable(file, "");
    } catch (MarkedYAMLException malformed) {
      throw unreadable(file, place(malformed.getProblemMark()));
    } catch (NoSuchFileException missing) {
      throw unreadable(file, ": it does not exist");
    } catch (IOException | YAMLException other) {
      throw unreadable(file, "");
    }
  }

  /** The place alone: YAML's own messages quote the file, which may have a secret there. */
  private static String place(@Nullable Mark mark) {
    return mark == null
        ? ""
        : ": line %d, column %d is not YAML".formatted(mark.getLine() + 1, mark.getColumn() + 1);
  }

  private static InvalidConfigException unreadable(Path file, String why) {
    return new InvalidConfigException(
        file.toString(), file + " must be a YAML file that can be read" + why);
  }

  /** A name is text, also if YAML takes it for a number or a truth value. */
  private static JsonObject json(Map<?, ?> map) {
    JsonObject json = new JsonObject();
    map.forEach(
        (name, value) ->
            json.put(String.valueOf(name), value instanceof Map<?, ?> inner ? json(inner) : value));
    return json;
  }

  /** Values by path; a section without any key is kept as a value. */
  private static Map<String, @Nullable Object> flattened(JsonObject json) {
    Map<String, @Nullable Object> values = new HashMap<>();
    for (Map.Entry<String, Object> section : json) {
      Object keys = section.getValue();
      if (keys instanceof JsonObject object && !object.isEmpty()) {
        object.forEach(
            entry -> put(values, section.getKey() + "." + entry.getKey(), entry.getValue()));
      } else if (keys == null || keys instanceof JsonObject) {
        values.put(section.getKey(), null);
      } else {
        String name = Settings.shownKey(section.getKey());
        throw new InvalidConfigException(
            name, name + " must be a section of keys, was a single value");
      }
    }
    return values;
  }

  /** Of the values of a section only {@code tls} is a section itself; others may be maps. */
  private static void put(
      Map<String, @Nullable Object> values, String path, @Nullable Object value) {
    if (path.endsWith(SUBSECTION) && value instanceof JsonObject keys) {
      keys.forEach(entry -> values.put(path + "." + entry.getKey(), entry.getValue()));
    } else {
      values.put(path, value);
    }
  }
}
