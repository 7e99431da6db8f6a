package io.sluice.webhook;

import io.sluice.ledger.Webhooks.Form;
import io.sluice.ledger.rules.EventType;
import io.sluice.model.Sha256;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An event as it is sent.
 *
 * @param id its webhook-id: the same whenever the event is read, and without a full stop, which
 *     divides what is signed
 * @param orderKey events of the same one are sent in order
 * @param event as text
 */
public record Message(String id, String type, String orderKey, String event) {
  private static final String PREFIX = "msg_";
  private static final int ID_BYTES = 16;
  private static final String ORDER_TOKEN = "order_token";
  private static final String SKU_ID = "sku_id";
  private static final String USER_ID = "user_id";

  /** What tells an event of an order from all others. */
  private static final List<String> IDENTITY =
      List.of("type", ORDER_TOKEN, "version", "line_sku_id");

  /** What a thin message has of an event: whom it is about, but of an order no buyer. */
  private static final List<String> IDS =
      List.of(ORDER_TOKEN, SKU_ID, "version", "line_sku_id", "refund_id");

  /** Whether there are events of this type. */
  public static boolean isType(String word) {
    return Arrays.stream(EventType.values()).anyMatch(type -> type.name().equals(word));
  }

  /** Of the text of an event. */
  static Message of(String event) {
    JsonObject json = new JsonObject(event);
    boolean ofOrder = json.containsKey(ORDER_TOKEN);
    String identity =
        ofOrder
            ? IDENTITY.stream()
                .map(name -> String.valueOf(json.getValue(name)))
                .collect(Collectors.joining(" "))
            : event;
    byte[] hash = Arrays.copyOf(Sha256.of(identity), ID_BYTES);
    return new Message(
        PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(hash),
        String.valueOf(json.getValue("type")),
        Stream.of(ORDER_TOKEN, SKU_ID, USER_ID)
            .filter(json::containsKey)
            .findFirst()
            .map(name -> String.valueOf(json.getValue(name)))
            .orElse(""),
        event);
  }

  /** The body of a request. */
  String body(Form form) {
    JsonObject json = new JsonObject(event);
    return new JsonObject()
        .put("type", type)
        .put("timestamp", Instant.ofEpochMilli(json.getLong("at", 0L)).toString())
        .put("data", form == Form.FULL ? json : thin(json))
        .encode();
  }

  private static JsonObject thin(JsonObject json) {
    JsonObject ids = new JsonObject();
    IDS.stream().filter(json::containsKey).forEach(name -> ids.put(name, json.getValue(name)));
    return ids.isEmpty() || !(ids.containsKey(ORDER_TOKEN) || ids.containsKey(SKU_ID))
        ? ids.put(USER_ID, json.getValue(USER_ID))
        : ids;
  }
}
