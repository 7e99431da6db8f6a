package io.sluice.admin;

import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.web.Exchange;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs which operator has changed what, one line per call, under a logger of its own name, so that
 * it can be written to a separate file.
 */
final class OperatorLog {
  private static final Logger log = LoggerFactory.getLogger("operator");
  private static final String USER_ID = "user_id";
  private static final String NOT_TOLD = "{user_id}";
  private static final String HIDDEN = "***";

  /** The parameters and fields that readers of the page are told. */
  private static final List<String> TOLD =
      List.of("sku_id", "sale_id", "partition", "job_id", "webhook_id", "qty", "action", "command");

  private static final int FIELDS_MAX = 16;
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

  /**
   * Logs an answered call by its name and its arguments, not by its path, which a caller can write
   * in many ways. The name of a buyer to be forgotten is not written down again; readers of the
   * page are shown none.
   */
  void changed(String operator, Exchange call, int status) {
    Map<String, String> parameters = new TreeMap<>(call.pathParams());
    if (call.call().equals(BuyerAdminRoutes.FORGET)) {
      parameters.computeIfPresent(USER_ID, (name, id) -> NOT_TOLD);
    }
    String by = escaped(operator);
    JsonObject body = json(call.readBody());
    keep(
        new JsonObject()
            .put("at", clock.millis())
            .put("operator", by)
            .put("call", call.call())
            .put("of", told(parameters, body))
            .put("status", status));
    log.atInfo()
        .addKeyValue("operator", by)
        .addKeyValue("method", escaped(call.request().method().name()))
        .addKeyValue("call", call.call())
        .addKeyValue("parameters", text(parameters))
        .addKeyValue("fields", body == null ? "malformed" : fields(body))
        .addKeyValue("status", status)
        .log("change");
  }

  private synchronized void keep(JsonObject change) {
    last.addFirst(change);
    if (last.size() > KEPT_MAX) {
      last.removeLast();
    }
  }

  /**
   * Logs that a call came with a wrong token.
   *
   * @param last whether further ones of this minute are not logged
   */
  void refused(String address, String call, boolean last) {
    LoggingEventBuilder line =
        log.atWarn().addKeyValue("address", address).addKeyValue("call", call);
    if (last) {
      line.log("wrong token; further ones of this minute are not logged");
    } else {
      line.log("wrong token");
    }
  }

  private static String text(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(each -> each.getKey() + "=" + word(each.getValue()))
        .collect(Collectors.joining(" "));
  }

  /** The fields of a body, each of limited length; of a list only how long it is. */
  private static String fields(JsonObject body) {
    return body.stream()
        .limit(FIELDS_MAX)
        .map(
            field ->
                word(field.getKey())
                    + "="
                    + (isSecret(field.getKey()) ? HIDDEN : value(field.getValue())))
        .collect(Collectors.joining(" "));
  }

  /** A body; null if it is no JSON object. */
  private static @Nullable JsonObject json(@Nullable Buffer body) {
    if (body == null || body.length() == 0) {
      return new JsonObject();
    }
    try {
      return new JsonObject(body);
    } catch (DecodeException notJson) {
      return null;
    }
  }

  /** What a change was done to, for readers of the page, who are shown no buyer. */
  private static JsonObject told(Map<String, String> parameters, @Nullable JsonObject body) {
    JsonObject told = new JsonObject();
    for (String name : TOLD) {
      Object value =
          parameters.containsKey(name)
              ? parameters.get(name)
              : body == null ? null : body.getValue(name);
      if (value != null) {
        told.put(name, escaped(String.valueOf(value)));
      }
    }
    return told;
  }

  /** Also of a field that is misspelled, and so refused. */
  private static boolean isSecret(String field) {
    return field.toLowerCase(Locale.ROOT).contains("secret");
  }

  private static String value(@Nullable Object value) {
    return value instanceof JsonArray list ? "[" + list.size() + "]" : word(String.valueOf(value));
  }

  /** A value among others: a blank ends it, and values of callers have none. */
  private static String word(String value) {
    return escaped(value).replace(" ", "\\u0020").replace("=", "\\u003d");
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
