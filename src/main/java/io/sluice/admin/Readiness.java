package io.sluice.admin;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Which parts of this instance are up; ready is when all are: then it can grant. Any thread may
 * report.
 */
public final class Readiness {
  private final Map<String, Part> parts = new ConcurrentSkipListMap<>();

  private record Part(boolean up, String detail) {}

  /**
   * Expects the names of all parts that it takes to be ready; each is down until it is reported up.
   */
  public Readiness(List<String> names) {
    names.forEach(name -> parts.put(name, new Part(false, "not reported yet")));
  }

  /** Reports a part. */
  public void report(String name, boolean up, String detail) {
    parts.put(name, new Part(up, detail));
  }

  public boolean isReady() {
    return parts.values().stream().allMatch(Part::up);
  }

  JsonObject json() {
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
