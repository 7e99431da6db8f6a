package io.sluice.config;

import io.sluice.config.value.StringKey;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Formats a configuration as lines for the log, in the order of the records, with secrets and
 * passwords hidden.
 */
public final class ConfigLines {
  private static final Map<String, StringKey> CONFIDENTIAL =
      Stream.of(
              AdminConfig.TOKEN,
              AuthConfig.SERVICE_TOKEN,
              AuthConfig.TOKEN_SECRET,
              AuthConfig.JWT_SECRET,
              RedisConfig.URI,
              RedisConfig.URIS,
              MysqlConfig.URI,
              TracingConfig.AUTHORIZATION)
          .collect(Collectors.toMap(StringKey::key, Function.identity()));

  private ConfigLines() {}

  /** One line {@code key = value} per key, with secrets and passwords hidden. */
  public static List<String> of(Config config) {
    List<String> lines = new ArrayList<>();
    for (RecordComponent section : Config.class.getRecordComponents()) {
      addSection(lines, spelled(section), value(section, config));
    }
    return lines;
  }

  private static void addSection(List<String> lines, String path, Object values) {
    for (RecordComponent component : values.getClass().getRecordComponents()) {
      String key = path + "." + spelled(component);
      Object value = value(component, values);
      StringKey text = CONFIDENTIAL.get(key);
      if (value instanceof TlsFiles) {
        addSection(lines, key, value);
      } else {
        lines.add(key + " = " + (text == null ? value : shown(text, value)));
      }
    }
  }

  private static String shown(StringKey text, Object value) {
    return value instanceof List<?> entries
        ? entries.stream().map(each -> shown(text, each)).collect(Collectors.joining(", "))
        : text.shown(String.valueOf(value));
  }

  private static Object value(RecordComponent component, Object of) {
    try {
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Expected a record whose components can be read, but " + component, e);
    }
  }

  /** The name of a component as in the file: {@code queueMax} is {@code queue_max}. */
  private static String spelled(RecordComponent component) {
    return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
