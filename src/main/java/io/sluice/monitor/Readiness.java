package io.sluice.monitor;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which parts of this instance are up, and whether they are enough for it to be ready, which means
 * that it can grant. Thread-safe.
 */
public final class Readiness {
  private final Map<String, Part> parts = new ConcurrentSkipListMap<>();
  private final Predicate<Set<String>> enough;

  private record Part(boolean up, String detail) {}

  /**
   * @param names the parts that must all be up to be ready; each is down until it is reported up
   */
  public Readiness(List<String> names) {
    this(names, up -> up.containsAll(names));
  }

  /**
   * @param enough whether these parts being up makes the instance ready
   */
  public Readiness(List<String> names, Predicate<Set<String>> enough) {
    this.enough = enough;
    names.forEach(name -> parts.put(name, new Part(false, "not reported yet")));
  }

  public void report(String name, boolean up, String detail) {
    parts.put(name, new Part(up, detail));
  }

  public boolean isReady() {
    return enough.test(
        parts.entrySet().stream()
            .filter(part -> part.getValue().up())
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** What {@code /readyz} answers. */
  public JsonObject json() {
    JsonObject each = new JsonObject();
    parts.forEach(
        (name, part) ->
            each.put(
                name,
                new JsonObject()
                    .put("state", part.up() ? "up" : "down")
                    .put("detail", part.detail())));
    return new JsonObject().put("ready", isReady()).put("parts", each);
  }
}
