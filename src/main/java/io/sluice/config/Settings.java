package io.sluice.config;

import io.vertx.core.json.JsonArray;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values of file and environment, by key; the environment takes precedence. A variable that is
 * empty clears its key, if that may be empty; beside it the one with _FILE counts, and the other
 * way round. Records which keys are read, so that unknown keys can be reported.
 */
final class Settings {
  private static final String PREFIX = "SLUICE_";
  private static final String TEST_PREFIX = "SLUICE_TEST_";
  private static final String FILE_SUFFIX = "_FILE";
  private static final String CONFIG_FILE = "SLUICE_CONFIG";
  private static final int BYTES_MAX = 64 * 1024;

  private static final Pattern KEY = Pattern.compile("[a-z_]{1,30}(?:\\.[a-z_]{1,30}){0,2}");

  private final Map<String, @Nullable Object> file;
  private final Map<String, String> environment;
  private final Set<String> known = new HashSet<>();

  /**
   * @param file by key, e.g. {@code http.port}
   * @param environment by variable, e.g. {@code SLUICE_HTTP_PORT}
   */
  Settings(Map<String, @Nullable Object> file, Map<String, String> environment) {
    this.file = file;
    this.environment = environment;
  }

  /**
   * A section with all its values, read and checked in the order of its components.
   *
   * @param path empty for the whole
   */
  <S> S section(String path, Class<S> section) {
    RecordComponent[] components = section.getRecordComponents();
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class[]::new);
    Object[] values = Stream.of(components).map(each -> value(path, each)).toArray();
    try {
      return section.getDeclaredConstructor(types).newInstance(values);
    } catch (InvocationTargetException failed) {
      if (failed.getCause() instanceof InvalidConfigException wrong) {
        throw wrong;
      }
      throw new LinkageError("Expected a section that checks its values, but " + section, failed);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Expected a record that can be made, but " + section, e);
    }
  }

  private Object value(String section, RecordComponent component) {
    String path = path(section, component);
    Key line = component.getAnnotation(Key.class);
    if (line == null) {
      return section(path, component.getType());
    }
    ConfigKey key = new ConfigKey(path, component.getType(), line);
    Object value = value(path, key.parse(line.value()), key::parse);
    return line.certificates() ? TlsFiles.certificates(path, (String) value) : value;
  }

  /** Fails if a key of earlier releases is set. */
  void refuse(String former, String successor) {
    value(
        former,
        "",
        raw -> {
          throw new InvalidConfigException(
              former, former + " must be taken out: " + successor + " has taken its place");
        });
  }

  /**
   * A value of any type.
   *
   * @param parse parses the file's value (as YAML gives it) or the environment's (text)
   */
  private Object value(String key, Object byDefault, Function<@Nullable Object, Object> parse) {
    known.add(key);
    String variable = variable(key);
    String fileVariable = variable + FILE_SUFFIX;
    String override = environment.get(variable);
    String path = environment.get(fileVariable);
    if (override != null && path != null && !override.isEmpty() && !path.isEmpty()) {
      throw new InvalidConfigException(
          key, key + " must be set by one of " + variable + " and " + fileVariable + ", not both");
    }
    if (path != null && (override == null || !path.isEmpty())) {
      return ofFile(key, fileVariable, path, parse);
    }
    if (override != null) {
      try {
        return parse.apply(override);
      } catch (InvalidConfigException e) {
        throw new InvalidConfigException(key, e.getMessage() + " (" + variable + ")");
      }
    }
    return file.containsKey(key) ? parse.apply(file.get(key)) : byDefault;
  }

  /** The content of such a file is never shown, for any key, because it is meant for secrets. */
  private static Object ofFile(
      String key, String variable, String path, Function<@Nullable Object, Object> parse) {
    String shown = "the file that " + variable + " names";
    String text = new NamedFile(key, path, shown).text(BYTES_MAX);
    try {
      return parse.apply(withoutNewline(text));
    } catch (InvalidConfigException e) {
      throw new InvalidConfigException(key, e.expectation() + " (" + shown + ")");
    }
  }

  /** The text of a file as orchestrators mount secrets, without a newline at its end. */
  private static String withoutNewline(String text) {
    if (text.endsWith("\r\n")) {
      return text.substring(0, text.length() - 2);
    }
    return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }

  private static String variable(String key) {
    return PREFIX + key.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /** Fails if the file has an unknown key: it would silently have no effect. */
  void checkAllKnown() {
    file.keySet().stream()
        .filter(key -> !known.contains(key) && !(file.get(key) == null && isSection(key)))
        .sorted()
        .findFirst()
        .ifPresent(
            key -> {
              String shown = shownKey(key);
              throw new InvalidConfigException(shown, shown + " is not a key of the configuration");
            });
  }

  /** A token without a space behind the colon before it is read as a key; it is not shown. */
  static String shownKey(String key) {
    return KEY.matcher(key).matches() ? key : "what stands there";
  }

  private boolean isSection(String name) {
    return known.stream().anyMatch(key -> key.startsWith(name + "."));
  }

  /** One sentence for each variable that starts with the prefix but is no key. */
  List<String> warnings() {
    Set<String> variables = new HashSet<>();
    for (String key : known) {
      variables.add(variable(key));
      variables.add(variable(key) + FILE_SUFFIX);
    }
    List<String> warnings = new ArrayList<>();
    environment.keySet().stream()
        .filter(name -> name.startsWith(PREFIX) && !name.startsWith(TEST_PREFIX))
        .filter(name -> !name.equals(CONFIG_FILE) && !variables.contains(name))
        .sorted()
        .forEach(name -> warnings.add(name + " is not a variable of the configuration"));
    return warnings;
  }

  /** One line {@code key = value} per key of a section, with secrets and passwords hidden. */
  static List<String> lines(String section, Object values) {
    List<String> lines = new ArrayList<>();
    for (RecordComponent component : values.getClass().getRecordComponents()) {
      String path = path(section, component);
      Object value = value(component, values);
      Key line = component.getAnnotation(Key.class);
      if (line == null) {
        lines.addAll(lines(path, value));
      } else {
        lines.add(path + " = " + new ConfigKey(path, component.getType(), line).shown(value));
      }
    }
    return lines;
  }

  private static Object value(RecordComponent component, Object of) {
    try {
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Expected a record whose components can be read, but " + component, e);
    }
  }

  /** The path of a component: {@code queueMax} of {@code http} is {@code http.queue_max}. */
  private static String path(String section, RecordComponent component) {
    String name = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    return section.isEmpty() ? name : section + "." + name;
  }

  /**
   * Parses, checks and shows the values of one key.
   *
   * @param name its path, e.g. {@code http.port}
   * @param type of its value
   */
  record ConfigKey(String name, Class<?> type, Key line) {
    private static final String HIDDEN = "***";
    private static final String NONE = "(none)";

    /**
     * Parses a value of the file (as YAML gives it), or of the environment, which is text; fails if
     * it is not as expected.
     */
    Object parse(@Nullable Object raw) {
      return switch (name) {
        case OperatorToken.KEY -> OperatorToken.parse(raw);
        case AuthConfig.TRUSTED_PROXIES -> AuthConfig.ranges(raw);
        case KafkaProperties.KEY -> KafkaProperties.parse(raw);
        default -> type == int.class ? number(raw) : type == List.class ? uris(raw) : text(raw);
      };
    }

    /** A number, or digits in quotes. */
    private int number(@Nullable Object raw) {
      Integer value =
          raw instanceof String text ? digits(text) : raw instanceof Integer n ? n : null;
      if (value == null || value < line.min() || value > line.max()) {
        throw new InvalidConfigException(
            name,
            "%s must be a whole number in %d..%d".formatted(name, line.min(), line.max()),
            value == null ? InvalidConfigException.quoted(raw) : value.toString());
      }
      return value;
    }

    private static @Nullable Integer digits(String text) {
      try {
        return Integer.valueOf(text.strip());
      } catch (NumberFormatException notANumber) {
        return null;
      }
    }

    /** YAML's numbers and dates are not text: 0123 is 83 there. */
    private String text(@Nullable Object raw) {
      if (!(raw instanceof String text)) {
        throw new InvalidConfigException(name, name + " must be text (in quotes)", was(raw));
      }
      if (!Pattern.matches(line.form(), text)) {
        throw new InvalidConfigException(name, name + " must be " + line.expected(), was(text));
      }
      return text;
    }

    /** A YAML list, or text with commas between URIs; a login may have a comma as well. */
    private List<String> uris(@Nullable Object raw) {
      if (raw instanceof JsonArray entries) {
        return entries.stream().map(this::text).toList();
      }
      if (raw instanceof String text) {
        return Stream.of(text.split(",(?=\\s*rediss?://)", -1))
            .map(String::strip)
            .filter(entry -> !entry.isEmpty())
            .map(this::text)
            .toList();
      }
      return List.of(text(raw));
    }

    private String was(@Nullable Object raw) {
      return line.shown() == Key.Shown.PLAIN
          ? InvalidConfigException.quoted(raw)
          : InvalidConfigException.HIDDEN;
    }

    /** Of a secret only whether it is set, of a URI everything except its password. */
    String shown(Object value) {
      if (value instanceof List<?> entries && line.shown() != Key.Shown.PLAIN) {
        return entries.stream().map(this::shown).collect(Collectors.joining(", "));
      }
      String text = String.valueOf(value);
      return switch (line.shown()) {
        case PLAIN -> text;
        case URI -> text.isEmpty() ? NONE : ServerUri.parse(text).toString();
        case SECRET -> text.isEmpty() ? NONE : HIDDEN;
      };
    }
  }
}
