package io.sluice.client;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why a call was refused (RFC 9457). The page of each word is {@code GET /problems/WORD}.
 *
 * @param word what happened, such as {@code sold-out}; empty if the answer is none of Sluice's, but
 *     of a gateway in between
 * @param status of HTTP, 300 to 599
 * @param title the same for all problems with this word
 * @param detail one sentence about this one
 * @param field the field, header or parameter that is invalid
 * @param skuId the line that it is about, of several SKUs
 * @param opensAt when the SKU is to open
 * @param openOrders tokens of the buyer's own orders that he may still pay or cancel, of {@code
 *     limit-reached}
 * @param paymentToReturn the payment whose money must go back, once
 * @param order the order that it is about, if a payment with a name was refused
 */
public record Problem(
    String word,
    int status,
    String title,
    String detail,
    Optional<String> field,
    Optional<Long> skuId,
    Optional<Instant> opensAt,
    List<String> openOrders,
    Optional<String> paymentToReturn,
    Optional<Order> order) {
  private static final String TYPES = "/problems/";

  /** The list is copied. */
  public Problem {
    openOrders = List.copyOf(openOrders);
  }

  /** Whether this is what happened. */
  public boolean is(String itsWord) {
    return word.equals(itsWord);
  }

  static Problem of(JsonObject json) {
    String type = json.text("type");
    return new Problem(
        type.substring(type.lastIndexOf('/') + 1),
        json.integer("status"),
        json.text("title"),
        json.text("detail"),
        json.textIfThere("field"),
        json.numberIfThere("sku_id"),
        json.timeIfThere("opens_at"),
        json.textsIfThere("open_orders"),
        json.textIfThere("payment_to_return"),
        json.objectIfThere("order").map(Order::of));
  }

  /** What an answer says that is not 2xx, whoever has written it. */
  static Problem of(int status, byte[] body) {
    try {
      JsonObject json = JsonObject.parse(body);
      if (json.text("type").startsWith(TYPES)) {
        return of(json.with(Map.of("status", (long) status)));
      }
    } catch (JsonException e) {
      // Of a gateway in between.
    }
    return new Problem(
        "",
        status,
        "HTTP " + status,
        "Expected an answer of Sluice, but got another",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }
}
