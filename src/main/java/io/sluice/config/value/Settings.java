package io.sluice.config.value;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values of file and environment, by key; the environment takes precedence. A variable that is
 * empty clears its key, if that may be empty; beside it the one with _FILE counts, and the other
 * way round. Records which keys are read, so that unknown keys can be reported.
 */
public final class Settings {
  private static final String PREFIX = "SLUICE_";
  private static final String TEST_PREFIX = "SLUICE_TEST_";
  private static final String FILE_SUFFIX = "_FILE";
  private static final String CONFIG_FILE = "SLUICE_CONFIG";

  private static final Pattern KEY = Pattern.compile("[a-z_]{1,30}(?:\\.[a-z_]{1,30}){0,2}");

  private final Map<String, @Nullable Object> file;
  private final Map<String, String> environment;
  private final Set<String> known = new HashSet<>();

  /**
   * @param file by key, e.g. {@code http.port}
   * @param environment by variable, e.g. {@code SLUICE_HTTP_PORT}
   */
  public Settings(Map<String, @Nullable Object> file, Map<String, String> environment) {
    this.file = file;
    this.environment = environment;
  }

  /** No settings at all, so that each key has its default. */
  public static Settings none() {
    return new Settings(Map.of(), Map.of());
  }

  /** The value of a key that is a text. */
  public String text(StringKey text) {
    return value(text.key(), text.byDefault(), text::parse);
  }

  /** The value of a key that is a number. */
  public int number(IntKey number) {
    return value(number.key(), number.byDefault(), number::parse);
  }

  /** The value of a key that is true or false. */
  public boolean flag(String key, boolean byDefault) {
    return value(key, byDefault, raw -> flagOf(key, raw));
  }

  private static boolean flagOf(String key, @Nullable Object raw) {
    if (raw instanceof Boolean flag) {
      return flag;
    }
    if ("true".equals(raw) || "false".equals(raw)) {
      return "true".equals(raw);
    }
    throw new InvalidConfigException(key, key + " must be true or false", Quoted.of(raw));
  }

  /**
   * A value of any type.
   *
   * @param parse parses the file's value (as YAML gives it) or the environment's (text)
   */
  public <T> T value(String key, T byDefault, Function<@Nullable Object, T> parse) {
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
  private static <T> T ofFile(
      String key, String variable, String path, Function<@Nullable Object, T> parse) {
    try {
      return parse.apply(ValueFile.read(key, path));
    } catch (InvalidConfigException e) {
      throw new InvalidConfigException(
          key, e.expectation() + " (the file that " + variable + " names)");
    }
  }

  private static String variable(String key) {
    return PREFIX + key.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /** Fails if the file has an unknown key: it would silently have no effect. */
  public void checkAllKnown() {
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
  public static String shownKey(String key) {
    return KEY.matcher(key).matches() ? key : "what stands there";
  }

  private boolean isSection(String name) {
    return known.stream().anyMatch(key -> key.startsWith(name + "."));
  }

  /** One sentence for each variable that starts with the prefix but is no key. */
  public List<String> warnings() {
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
}
