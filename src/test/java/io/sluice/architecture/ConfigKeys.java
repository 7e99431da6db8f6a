package io.sluice.architecture;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The keys of the configuration, dotted ({@code http.port}), as two documents tell them. */
final class ConfigKeys {
  private static final Pattern HEADING =
      Pattern.compile("\\|\\s*key\\s*\\|.*", Pattern.CASE_INSENSITIVE);
  private static final Pattern ROW = Pattern.compile("\\|\\s*`([^`]+)`\\s*\\|.*");

  private ConfigKeys() {}

  static Set<String> inYaml(String text) {
    Set<String> keys = new TreeSet<>();
    collect("", new Yaml(new SafeConstructor(new LoaderOptions())).load(text), keys);
    return keys;
  }

  /** The first cells of each Markdown table whose first column is called "key". */
  static Set<String> inTables(List<String> markdown) {
    Set<String> keys = new TreeSet<>();
    boolean inTable = false;
    for (String line : markdown) {
      inTable = HEADING.matcher(line).matches() || (inTable && line.startsWith("|"));
      Matcher row = ROW.matcher(line);
      if (inTable && row.matches()) {
        keys.add(row.group(1));
      }
    }
    return keys;
  }

  private static void collect(String path, Object value, Set<String> keys) {
    if (value instanceof Map<?, ?> section) {
      String prefix = path.isEmpty() ? "" : path + ".";
      section.forEach((name, below) -> collect(prefix + name, below, keys));
    } else {
      keys.add(path);
    }
  }
}
