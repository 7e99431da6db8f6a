package io.sluice.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads files of YAML, where a name that comes twice in a map is an error, and other text. */
final class YamlFiles {
  private YamlFiles() {}

  /** A file of one document. */
  static Map<String, Object> one(Path file) {
    return all(file).get(0);
  }

  /** The documents of a file. */
  static List<Map<String, Object>> all(Path file) {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    List<Map<String, Object>> documents = new ArrayList<>();
    new Yaml(new SafeConstructor(strict))
        .loadAll(text(file))
        .forEach(document -> documents.add(map(document)));
    return documents;
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What follows the first instruction in the Dockerfile that begins so. */
  static String inDockerfile(String instruction) {
    return text(Path.of("Dockerfile"))
        .lines()
        .filter(line -> line.startsWith(instruction))
        .findFirst()
        .orElseThrow()
        .substring(instruction.length());
  }

  /** The map that this is, or an empty one for nothing. */
  static Map<String, Object> map(Object value) {
    Map<String, Object> named = new LinkedHashMap<>();
    if (value != null) {
      ((Map<?, ?>) value).forEach((name, inner) -> named.put(String.valueOf(name), inner));
    }
    return named;
  }

  static Map<String, Map<String, Object>> maps(Object value) {
    Map<String, Map<String, Object>> inner = new LinkedHashMap<>();
    map(value).forEach((name, entry) -> inner.put(name, map(entry)));
    return inner;
  }

  static Map<String, String> texts(Object value) {
    Map<String, String> texts = new LinkedHashMap<>();
    map(value).forEach((name, entry) -> texts.put(name, String.valueOf(entry)));
    return texts;
  }

  /** The value at this path of names, and of numbers in lists; null where there is none. */
  static Object at(Object value, Object... path) {
    Object found = value;
    for (Object step : path) {
      if (found instanceof Map<?, ?> map) {
        found = map.get(step);
      } else if (found instanceof List<?> list && step instanceof Integer index) {
        found = index < list.size() ? list.get(index) : null;
      } else {
        return null;
      }
    }
    return found;
  }
}
