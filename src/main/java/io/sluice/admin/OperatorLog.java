package io.sluice.admin;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which operator has changed what, one line per call, under a logger of its own name, so that
 * it can be written to a separate file.
 */
final class OperatorLog {
  private static final Logger log = LoggerFactory.getLogger("operator");
  private static final int VALUE_MAX = 256;
  private static final int KEPT_MAX = 6;
  private static final char FIRST_VISIBLE = ' ';
  private static final char LAST_VISIBLE = '~';

  private final InstantSource clock;
  private final Deque<JsonObject> last = new ArrayDeque<>();

  OperatorLog(InstantSource clock) {
    this.clock = clock;
  }

  /** The last changes of this instance, newest first, for the live page. */
  synchronized JsonArray last() {
    JsonArray all = new JsonArray();
    last.forEach(all::add);
    return all;
  }

  private synchronized void keep(String operator, String method, String path, int status) {
    last.addFirst(
        new JsonObject()
            .put("at", clock.millis())
            .put("operator", operator)
            .put("method", method)
            .put("path", path)
            .put("status", status));
    if (last.size() > KEPT_MAX) {
      last.removeLast();
    }
  }

  /** Logs an answered call. */
  void changed(String operator, String method, @Nullable String path, int status) {
    keep(escaped(operator), method, escaped(path == null ? "" : path), status);
    log.atInfo()
        .addKeyValue("operator", escaped(operator))
        .addKeyValue("method", escaped(method))
        .addKeyValue("path", escaped(path == null ? "" : path))
        .addKeyValue("status", status)
        .log("change");
  }

  /**
   * Escapes a value from a caller: no line ends, quotes or control characters, and of limited
   * length.
   */
  static String escaped(String value) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(value.length(), VALUE_MAX); i++) {
      char c = value.charAt(i);
      if (c < FIRST_VISIBLE || c > LAST_VISIBLE || c == '"' || c == '\\') {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    return value.length() > VALUE_MAX ? text.append("...").toString() : text.toString();
  }
}
