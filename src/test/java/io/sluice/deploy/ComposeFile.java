package io.sluice.deploy;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code conf/compose/compose.yaml}, read. */
record ComposeFile(Map<String, Object> content) {
  static final Path FOLDER = Path.of("conf", "compose");
  static final Path FILE = FOLDER.resolve("compose.yaml");

  static ComposeFile read() {
    return new ComposeFile(YamlFiles.one(FILE));
  }

  Map<String, Map<String, Object>> services() {
    return YamlFiles.maps(content.get("services"));
  }

  Map<String, Object> service(String name) {
    return services().get(name);
  }

  /** The instances of the service, by name. */
  Map<String, Map<String, Object>> instances() {
    return services().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("sluice"))
        .collect(
            Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, TreeMap::new));
  }

  Map<String, String> environment(String service) {
    return YamlFiles.texts(service(service).get("environment"));
  }

  /** The ports of all services on this machine, such as {@code 127.0.0.1:8080:8080}. */
  List<String> publishedPorts() {
    return all("ports");
  }

  /** What is mounted from this machine, relative to the folder of the file. */
  Stream<String[]> mountedFiles() {
    return all("volumes").stream().map(text -> text.split(":")).filter(v -> v[0].startsWith("."));
  }

  private List<String> all(String key) {
    return services().values().stream()
        .map(service -> (Collection<?>) service.getOrDefault(key, List.of()))
        .flatMap(Collection::stream)
        .map(String::valueOf)
        .toList();
  }
}
