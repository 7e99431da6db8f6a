package io.sluice.ledger.rules;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.ledger.History.By;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Grant;
import io.sluice.model.Grant.Units;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.Order.Life;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of an event about an order. Written and read field by field, without a tree, because
 * each booked order is written once and read once by each listener.
 */
final class OrderEvent {
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  private static final int CHARS = 384;
  private static final String TOKEN_FIELD = ",\"order_token\":\"";
  private static final String VERSION_FIELD = ",\"version\":";
  private static final String UPDATED_FIELD = ",\"updated_at\":";
  private static final String PAYMENT_FIELD = ",\"payment_ref\":";
  private static final String DOUBLE_FIELD = ",\"double_ref\":";
  private static final int DECIMAL = 10;

  private @Nullable String token;
  private String userId = "";
  private String status = "";
  private @Nullable String reason;
  private long qty;
  private long seq;
  private long epoch;
  private long version;
  private long payBeforeMs;
  private long latePaidAtMs;
  private long createdAtMs;
  private long updatedAtMs;
  private long saleNo;
  private @Nullable String reference;
  private @Nullable String paymentRef;
  private @Nullable String doubleRef;
  private long refundedQty;
  private @Nullable Cart cart;

  private OrderEvent() {}

  static String write(OrderNotice notice, long atMs) {
    EventType type = notice.type();
    Order order = notice.order();
    String subject = notice.subject();
    StringBuilder json = new StringBuilder(CHARS).append("{\"type\":\"").append(type.name());
    json.append('"').append(TOKEN_FIELD).append(order.token().value()).append('"');
    put(json, "sku_id", order.token().skuId());
    put(json, "bucket", order.token().bucket());
    json.append(",\"user_id\":").append(quoted(order.userId()));
    put(json, "qty", order.qty());
    put(json, "seq", order.seq());
    put(json, "epoch", order.epoch());
    json.append(",\"status\":\"").append(order.status().name()).append("\",\"reason\":");
    Reason why = order.reason();
    json.append(why == null ? "null" : quoted(why.name()));
    put(json, "version", order.version());
    put(json, "pay_before", order.payBeforeMs());
    put(json, "late_paid_at", order.latePaidAtMs());
    put(json, "created_at", order.createdAtMs());
    put(json, "updated_at", order.updatedAtMs());
    put(json, "at", atMs);
    putIfThere(json, "sale_no", order.saleNo());
    putIfThere(json, "sale_id", notice.saleId());
    putIfThere(json, "reference", order.reference());
    putIfThere(json, "payment_ref", order.notes().paymentRef());
    putIfThere(json, "refunded_qty", order.notes().refundedQty());
    switch (type) {
      case PAYMENT_DOUBLE -> putIfThere(json, "double_ref", subject);
      case REFUND_REQUESTED, REFUND_REJECTED, REFUND_COMPLETED, ORDER_REFUNDED ->
          putIfThere(json, "refund_id", subject);
      case STOCK_RETURNED -> {
        put(json, "returned_qty", Long.parseLong(String.valueOf(subject)));
        if (!notice.restock()) {
          json.append(",\"restock\":false");
        }
      }
      default -> {}
    }
    Cart cart = order.cart();
    if (cart != null) {
      putIfThere(json, "line_sku_id", notice.lineSkuId());
      EventLines.append(json, cart);
    }
    return json.append('}').toString();
  }

  private static void putIfThere(StringBuilder json, String name, long value) {
    if (value != 0) {
      put(json, name, value);
    }
  }

  private static void putIfThere(StringBuilder json, String name, @Nullable String text) {
    if (text != null) {
      json.append(",\"").append(name).append("\":").append(Json.encode(text));
    }
  }

  private static void put(StringBuilder json, String name, long value) {
    json.append(",\"").append(name).append("\":").append(value);
  }

  /** A grant that the ledger refuses may have any text as its user. */
  private static String quoted(String text) {
    return Limits.isPlainUserId(text) ? '"' + text + '"' : Json.encode(text);
  }

  /**
   * The token of the event's order; empty if the event concerns a whole SKU. Only for payloads that
   * this class has written: there are no spaces, and within a text the marks are escaped.
   */
  static Optional<String> tokenOf(String payload) {
    int field = payload.indexOf(TOKEN_FIELD);
    if (field < 0) {
      return Optional.empty();
    }
    int begin = field + TOKEN_FIELD.length();
    return Optional.of(payload.substring(begin, payload.indexOf('"', begin)));
  }

  /**
   * Whether an event tells this state of an order, or an earlier one; it is not read as a whole.
   * Two histories of a ledger that was restored may have other states of one version, but not of
   * one time. Only for the same payloads, of this order.
   */
  static boolean isKnown(String payload, Order known) {
    long version = number(payload, VERSION_FIELD);
    return version < known.version()
        ? version > 0
        : version == known.version() && number(payload, UPDATED_FIELD) == known.updatedAtMs();
  }

  /** The number of a field; 0 if there is none. */
  private static long number(String payload, String field) {
    int begin = payload.indexOf(field);
    long number = 0;
    if (begin >= 0) {
      for (int at = begin + field.length(); at < payload.length(); at++) {
        int digit = Character.digit(payload.charAt(at), DECIMAL);
        if (digit < 0) {
          break;
        }
        number = DECIMAL * number + digit;
      }
    }
    return number;
  }

  /** The event's order; empty if the event concerns a whole SKU. */
  static Optional<Order> read(String payload) {
    OrderEvent event = parsed(payload);
    String token = event.token;
    return token == null ? Optional.empty() : Optional.of(event.order(token));
  }

  private static final Set<String> FIRST =
      Set.of(EventType.ORDER_BOOKED.name(), EventType.ORDER_REJECTED.name());

  private static final Set<String> PAYMENTS =
      Set.of(
          EventType.ORDER_CONFIRMED.name(),
          EventType.PAYMENT_LATE.name(),
          EventType.PAYMENT_REFERENCED.name(),
          EventType.PAYMENT_DOUBLE.name());

  /** Whether events of this type may say more than those before of what orders are looked up by. */
  static boolean isNaming(String type) {
    return FIRST.contains(type) || PAYMENTS.contains(type);
  }

  /** What the event says that its order is looked up by. The first one names buyer and caller. */
  static List<OrderName> named(String type, String payload) {
    boolean isFirst = FIRST.contains(type);
    if (!isFirst && !payload.contains(PAYMENT_FIELD) && !payload.contains(DOUBLE_FIELD)) {
      return List.of();
    }
    OrderEvent event = parsed(payload);
    Optional<OrderToken> token =
        Optional.ofNullable(event.token).flatMap(OrderToken::parse).filter(OrderToken::isCanonical);
    List<OrderName> names = new ArrayList<>();
    if (token.isPresent()) {
      if (isFirst) {
        event.name(names, token.get(), By.USER, event.userId);
        event.name(names, token.get(), By.REFERENCE, event.reference);
      }
      event.name(names, token.get(), By.PAYMENT, event.paymentRef);
      event.name(names, token.get(), By.PAYMENT, event.doubleRef);
    }
    return names;
  }

  private void name(List<OrderName> names, OrderToken of, By by, @Nullable String value) {
    if (value != null) {
      names.add(new OrderName(of, createdAtMs, by, value));
    }
  }

  private Order order(String orderToken) {
    OrderToken read =
        OrderToken.parse(orderToken)
            .orElseThrow(
                () ->
                    new IllegalArgumentException("Expected an order token, but got " + orderToken));
    Units units = new Units((int) qty, seq, epoch, createdAtMs, payBeforeMs, saleNo);
    Life life =
        new Life(
            OrderStatus.valueOf(status),
            reason == null ? null : Reason.valueOf(reason),
            version,
            latePaidAtMs,
            updatedAtMs,
            OrderNotes.shown(paymentRef, (int) refundedQty));
    return new Order(new Grant(read, userId, units, reference, cart), life, false);
  }

  private static OrderEvent parsed(String payload) {
    OrderEvent event = new OrderEvent();
    try (JsonParser json = JSON.createParser(payload)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        event.take(name, json);
      }
    } catch (IOException notJson) {
      throw new UncheckedIOException(notJson);
    }
    return event;
  }

  private void take(String name, JsonParser json) throws IOException {
    switch (name) {
      case "order_token" -> token = json.getValueAsString();
      case "user_id" -> userId = json.getText();
      case "status" -> status = json.getText();
      case "reason" -> reason = json.getValueAsString();
      case "qty" -> qty = json.getLongValue();
      case "seq" -> seq = json.getLongValue();
      case "epoch" -> epoch = json.getLongValue();
      case "version" -> version = json.getLongValue();
      case "pay_before" -> payBeforeMs = json.getLongValue();
      case "late_paid_at" -> latePaidAtMs = json.getLongValue();
      case "created_at" -> createdAtMs = json.getLongValue();
      case "updated_at" -> updatedAtMs = json.getLongValue();
      case "sale_no" -> saleNo = json.getLongValue();
      case "reference" -> reference = json.getValueAsString();
      case "payment_ref" -> paymentRef = json.getValueAsString();
      case "double_ref" -> doubleRef = json.getValueAsString();
      case "refunded_qty" -> refundedQty = json.getLongValue();
      case EventLines.FIELD -> cart = EventLines.read(json);
      default -> json.skipChildren();
    }
  }

  /** The lines of an order of several SKUs in the JSON of an event. */
  static final class EventLines {
    static final String FIELD = "lines";

    private EventLines() {}

    static void append(StringBuilder json, Cart cart) {
      json.append(",\"").append(FIELD).append("\":[");
      String between = "";
      for (Cart.Line line : cart.lines()) {
        json.append(between).append("{\"sku_id\":").append(line.bucket().skuId());
        json.append(",\"bucket\":").append(line.bucket().bucket());
        json.append(",\"qty\":").append(line.qty()).append(",\"seq\":").append(line.seq());
        json.append(",\"epoch\":").append(line.epoch());
        json.append(",\"sale_no\":").append(line.saleNo());
        json.append(",\"refunded_qty\":").append(line.refundedQty()).append('}');
        between = ",";
      }
      json.append(']');
    }

    /** Reads the value of the field, whose first token is the current one. */
    static Cart read(JsonParser json) throws IOException {
      List<Cart.Line> lines = new ArrayList<>();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        lines.add(readLine(json));
      }
      return new Cart(lines);
    }

    private static Cart.Line readLine(JsonParser json) throws IOException {
      long skuId = 0;
      int bucket = 0;
      int qty = 0;
      long seq = 0;
      long epoch = 0;
      long saleNo = 0;
      int refundedQty = 0;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "sku_id" -> skuId = json.getLongValue();
          case "bucket" -> bucket = json.getIntValue();
          case "qty" -> qty = json.getIntValue();
          case "seq" -> seq = json.getLongValue();
          case "epoch" -> epoch = json.getLongValue();
          case "sale_no" -> saleNo = json.getLongValue();
          case "refunded_qty" -> refundedQty = json.getIntValue();
          default -> json.skipChildren();
        }
      }
      return new Cart.Line(new BucketId(skuId, bucket), qty, epoch, seq, saleNo, refundedQty);
    }
  }

  /**
   * The notice of an order that listeners get.
   *
   * @param order as it is now, with all its lines
   * @param subject the payment or the refund that this is about, or null
   * @param lineSkuId the line that this is about, if the order has several; else 0
   * @param saleId the sale that it is of, or null
   * @param restock false if units are not to be sold again
   */
  record OrderNotice(
      EventType type,
      Order order,
      @Nullable String subject,
      long lineSkuId,
      @Nullable String saleId,
      boolean restock) {
    /** A notice about the whole order. */
    OrderNotice(EventType type, Order order, @Nullable String subject) {
      this(type, order, subject, 0, null, true);
    }

    /** The same of an order of this sale. */
    OrderNotice ofSale(@Nullable String id) {
      return new OrderNotice(type, order, subject, lineSkuId, id, restock);
    }

    /** The same, about one of its lines. */
    OrderNotice ofLine(Order line) {
      long skuId = line.cart() == null ? 0 : line.token().skuId();
      return new OrderNotice(type, order, subject, skuId, saleId, restock);
    }

    /** The same of units that are not to be sold again, if the caller has said so. */
    OrderNotice restocking(boolean isWanted) {
      return new OrderNotice(type, order, subject, lineSkuId, saleId, isWanted);
    }
  }
}
