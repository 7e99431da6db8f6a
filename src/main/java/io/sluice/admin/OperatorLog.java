package io.sluice.admin;

import io.sluice.ledger.ArchiveRequests.Forgotten;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which operator has changed what, one line per call, under a logger of its own name, so that
 * it can be written to a separate file.
 */
final class OperatorLog {
  private static final Logger log = LoggerFactory.getLogger("operator");
  private static final Pattern FORGET = Pattern.compile("^(/admin/buyers/)[^/]*(/forget/?)$");
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

  /** Logs how far a buyer is forgotten. */
  void forgot(String operator, Forgotten now) {
    log.atInfo()
        .addKeyValue("operator", escaped(operator))
        .addKeyValue("pseudonym", now.pseudonym())
        .addKeyValue("replaced", now.replaced())
        .addKeyValue("left", now.left())
        .addKeyValue("done", now.done())
        .log("buyer forgotten");
  }

  /** The path of a call as it is logged: who is to be forgotten is not written down again. */
  static @Nullable String pathOf(@Nullable String path) {
    return path == null ? null : FORGET.matcher(path).replaceFirst("$1{user_id}$2");
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
