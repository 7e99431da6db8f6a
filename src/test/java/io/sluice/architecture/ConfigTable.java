package io.sluice.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The keys of the configuration file, as the rows of a Markdown table that explains them. */
final class ConfigTable {
  private static final Pattern SECTION = Pattern.compile("(\\w+):(\\s+#.*)?");
  private static final Pattern SUBSECTION = Pattern.compile(" {2}(\\w+):(\\s+#.*)?");
  private static final Pattern KEY = Pattern.compile("( {2,4})(\\w+): (\"[^\"]*\"|\\S+)\\s+# (.+)");

  private ConfigTable() {}

  /** A row per key: the key, dotted ({@code http.port}), its default and its comment. */
  static List<String> rows(String yaml) {
    List<String> rows = new ArrayList<>();
    String section = "";
    String subsection = "";
    for (String line : yaml.lines().toList()) {
      Matcher heading = SECTION.matcher(line);
      Matcher inner = SUBSECTION.matcher(line);
      Matcher key = KEY.matcher(line);
      if (heading.matches()) {
        section = heading.group(1);
      } else if (inner.matches()) {
        subsection = inner.group(1);
      } else if (key.matches()) {
        String path = key.group(1).length() == 2 ? section : section + "." + subsection;
        rows.add(
            "| `%s.%s` | `%s` | %s |".formatted(path, key.group(2), key.group(3), key.group(4)));
      }
    }
    return rows;
  }

  /** How many keys the file really has, whether they are explained or not. */
  static int keys(String yaml) {
    Map<String, Object> sections = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
    return count(sections);
  }

  /** An empty map is a value. */
  private static int count(Map<?, ?> section) {
    return section.values().stream()
        .mapToInt(value -> value instanceof Map<?, ?> keys && !keys.isEmpty() ? count(keys) : 1)
        .sum();
  }
}
