package io.sluice.testkit;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The examples in docs/events.md of events about an order. */
@NullMarked
public final class EventsPage {
  public static final Path PATH = Path.of("docs", "events.md");

  private static final String LINES = "lines";

  private EventsPage() {}

  /**
   * All of them, complete: a block of the page shows all fields of its first event, and of the
   * others those that differ from it.
   */
  public static List<JsonObject> orderEvents() throws IOException {
    List<JsonObject> events = new ArrayList<>();
    @Nullable JsonObject first = null;
    for (String line : Files.readAllLines(PATH)) {
      if (line.startsWith("```")) {
        first = null;
      } else if (line.startsWith("{\"type\":")) {
        JsonObject shown = new JsonObject(line);
        if (shown.containsKey("order_token")) {
          first = shown;
          events.add(shown);
        } else if (first != null) {
          events.add(complete(first, shown));
        }
      }
    }
    return events;
  }

  /** The fields are in the order in which they are sent: the lines of the order come last. */
  private static JsonObject complete(JsonObject first, JsonObject differing) {
    JsonObject event = first.copy();
    if (differing.containsKey(LINES)) {
      event.remove(LINES);
    }
    return event.mergeIn(differing);
  }
}
