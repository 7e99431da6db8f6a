package io.sluice.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.grant.OrderWish;
import io.sluice.model.Command;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.web.JsonFields;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The validated bodies of the calls on orders; any deviation is a fault that names the field. */
final class OrderBodies {
  static final List<String> PAYMENT = List.of("payment_ref");
  static final List<String> EXTENSION = List.of("seconds");
  static final List<String> REFUND = List.of("refund_id", "qty", "sku_id");
  static final List<String> RESTOCK = List.of("restock");
  static final List<String> COMMANDS = List.of("commands");

  private OrderBodies() {}

  /** The payment of a confirmation; null if there is no body, or it names none. */
  static @Nullable String paymentRef(Buffer body) {
    if (body.length() == 0) {
      return null;
    }
    String paymentRef = null;
    try (JsonFields fields = JsonFields.of(body, PAYMENT)) {
      while (fields.next() != null) {
        paymentRef = fields.visible(Limits.PAYMENT_REF_MAX);
      }
    }
    return paymentRef;
  }

  /** Whether the units of a refund are sold again; true if there is no body, or it does not say. */
  static boolean restock(Buffer body) {
    boolean restock = true;
    if (body.length() > 0) {
      try (JsonFields fields = JsonFields.of(body, RESTOCK)) {
        while (fields.next() != null) {
          restock = fields.flag();
        }
      }
    }
    return restock;
  }

  /** The seconds of an extension. */
  static int seconds(Buffer body) {
    int seconds = 0;
    try (JsonFields fields = JsonFields.of(body, EXTENSION)) {
      while (fields.next() != null) {
        seconds = Math.toIntExact(fields.wholeNumber(1, Limits.EXTENSION_S_MAX));
      }
      fields.require("seconds");
    }
    return seconds;
  }

  /**
   * One of several commands.
   *
   * @param problem what it is answered if it is none
   */
  record Item(@Nullable Command command, @Nullable Problem problem) {
    private static final List<String> FIELDS =
        List.of("order_token", "command", "payment_ref", "seconds", "restock");

    /** The commands of a body, each with its own fault. */
    static List<Item> readAll(Buffer body) {
      List<Item> items = List.of();
      try (JsonFields fields = JsonFields.of(body, COMMANDS)) {
        while (fields.next() != null) {
          items =
              fields.objects(
                  Limits.COMMANDS_MAX,
                  FIELDS,
                  Item::read,
                  fault -> new Item(null, fault.problem()));
          if (items.isEmpty()) {
            throw fields.wrong("Expected at least one command, but there is none");
          }
        }
        fields.require("commands");
      }
      return items;
    }

    private static Item read(JsonFields fields) {
      String token = "";
      String command = "";
      String paymentRef = null;
      int seconds = 0;
      Boolean restock = null;
      for (String name = fields.next(); name != null; name = fields.next()) {
        switch (name) {
          case "order_token" -> token = fields.text();
          case "command" -> command = fields.text();
          case "payment_ref" -> paymentRef = fields.visible(Limits.PAYMENT_REF_MAX);
          case "seconds" ->
              seconds = Math.toIntExact(fields.wholeNumber(1, Limits.EXTENSION_S_MAX));
          case "restock" -> restock = fields.flag();
          default -> throw fields.unknown();
        }
      }
      fields.require("order_token", "command");
      refuse("restock", restock != null && !command.equals("refund"), command);
      boolean sellsAgain = restock == null || restock;
      Function<OrderToken, Command> of = of(fields, command, paymentRef, seconds, sellsAgain);
      return OrderToken.parse(token)
          .map(order -> new Item(of.apply(order), null))
          .orElseGet(() -> new Item(null, Problem.UNKNOWN_ORDER));
    }

    /** The command of an order; fails if it lacks a field, or has one of another command. */
    private static Function<OrderToken, Command> of(
        JsonFields fields,
        String command,
        @Nullable String paymentRef,
        int seconds,
        boolean restock) {
      return switch (command) {
        case "confirm" -> {
          refuse("seconds", seconds != 0, command);
          yield order -> new Command.Confirm(order, paymentRef);
        }
        case "extend" -> {
          fields.require("seconds");
          refuse("payment_ref", paymentRef != null, command);
          yield order -> new Command.Extend(order, seconds);
        }
        case "cancel", "refund" -> {
          refuse("payment_ref", paymentRef != null, command);
          refuse("seconds", seconds != 0, command);
          yield command.equals("cancel")
              ? order -> new Command.Cancel(order, Reason.OPERATOR)
              : order -> new Command.Refund(order, restock);
        }
        default ->
            throw new BadInputException(
                "command", "Expected confirm, cancel, extend or refund, but got another");
      };
    }

    private static void refuse(String field, boolean isThere, String command) {
      if (isThere) {
        throw new BadInputException(
            field, "Expected no " + field + " of the command " + command + ", but got one");
      }
    }
  }

  /**
   * A refund that is requested.
   *
   * @param skuId of the line, if the order has several; else 0
   */
  record RefundBody(String refundId, int qty, long skuId) {
    static RefundBody read(Buffer body) {
      String refundId = "";
      int qty = 0;
      long skuId = 0;
      try (JsonFields fields = JsonFields.of(body, REFUND)) {
        for (String name = fields.next(); name != null; name = fields.next()) {
          switch (name) {
            case "refund_id" -> refundId = refundId(fields.text());
            case "qty" -> qty = Math.toIntExact(fields.wholeNumber(1, Limits.QTY_MAX));
            case "sku_id" -> skuId = fields.wholeNumber(1, Long.MAX_VALUE);
            default -> throw fields.unknown();
          }
        }
        fields.require("refund_id", "qty");
      }
      return new RefundBody(refundId, qty, skuId);
    }

    Command.RefundPart request(OrderToken token) {
      return new Command.RefundPart(token, refundId, qty, Command.RefundPart.Step.REQUEST, skuId);
    }

    private static String refundId(String text) {
      if (!Limits.isRefundId(text) || Limits.isDots(text)) {
        throw new BadInputException(
            "refund_id",
            "Expected 1 to "
                + Limits.REFUND_ID_MAX
                + " characters of A-Z, a-z, 0-9 and _.:-, not . or .., but got another");
      }
      return text;
    }
  }

  /**
   * The validated body of {@code POST /v1/orders}.
   *
   * @param reference the caller's own name for the order, or null
   * @param lines at least one; each SKU once
   */
  record PlaceOrderBody(@Nullable String reference, List<OrderWish.Line> lines) {

    static final List<String> FIELDS = List.of("sku_id", "qty", "reference", "lines");
    private static final List<String> LINE_FIELDS = List.of("sku_id", "qty");
    private static final byte[] SKU_ID = "{\"sku_id\":".getBytes(US_ASCII);
    private static final byte[] QTY = ",\"qty\":".getBytes(US_ASCII);

    /** More digits may exceed a long; the JSON parser handles them. */
    private static final int DIGITS_MAX = 18;

    /** Reads a body; any deviation from the documented form is a fault that names the field. */
    static PlaceOrderBody read(Buffer body) {
      PlaceOrderBody plain = readPlain(body);
      return plain == null ? parse(body) : plain;
    }

    /**
     * Reads the form that nearly every client sends, exactly {@code {"sku_id":7,"qty":1}} and
     * within the limits; null for any other, which the JSON parser reads.
     */
    private static @Nullable PlaceOrderBody readPlain(Buffer body) {
      int skuAt = SKU_ID.length;
      int skuEnd = endOfDigits(body, skuAt);
      int qtyAt = skuEnd + QTY.length;
      if (!isAt(body, 0, SKU_ID) || !isAt(body, skuEnd, QTY)) {
        return null;
      }
      int qtyEnd = endOfDigits(body, qtyAt);
      if (qtyEnd + 1 != body.length() || body.getByte(qtyEnd) != '}') {
        return null;
      }
      long skuId = number(body, skuAt, skuEnd);
      long qty = number(body, qtyAt, qtyEnd);
      return skuId >= 1 && qty >= 1 && qty <= Limits.QTY_MAX ? ofOne(skuId, (int) qty, null) : null;
    }

    private static PlaceOrderBody ofOne(long skuId, int qty, @Nullable String reference) {
      return new PlaceOrderBody(reference, List.of(new OrderWish.Line(skuId, qty)));
    }

    private static boolean isAt(Buffer body, int at, byte[] text) {
      if (at + text.length > body.length()) {
        return false;
      }
      for (int i = 0; i < text.length; i++) {
        if (body.getByte(at + i) != text[i]) {
          return false;
        }
      }
      return true;
    }

    private static int endOfDigits(Buffer body, int from) {
      int end = from;
      while (end < body.length() && body.getByte(end) >= '0' && body.getByte(end) <= '9') {
        end++;
      }
      return end;
    }

    /** The value of these digits; -1 if there are too many, or the first is a zero. */
    private static long number(Buffer body, int from, int to) {
      if (to == from || to - from > DIGITS_MAX || body.getByte(from) == '0') {
        return -1;
      }
      long number = 0;
      for (int i = from; i < to; i++) {
        number = 10 * number + body.getByte(i) - '0';
      }
      return number;
    }

    private static PlaceOrderBody parse(Buffer body) {
      long skuId = 0;
      int qty = 0;
      String reference = null;
      List<OrderWish.Line> lines = null;
      try (JsonFields fields = JsonFields.of(body, FIELDS)) {
        for (String name = fields.next(); name != null; name = fields.next()) {
          switch (name) {
            case "sku_id" -> skuId = fields.wholeNumber(1, Long.MAX_VALUE);
            case "qty" -> qty = qty(fields);
            case "reference" -> reference = fields.visible(Limits.REFERENCE_MAX);
            case "lines" ->
                lines = fields.objects(Limits.CART_LINES_MAX, LINE_FIELDS, PlaceOrderBody::line);
            default -> throw fields.unknown();
          }
        }
        // Clients that are made from the contract may send an empty list for none.
        if (lines == null || (lines.isEmpty() && skuId != 0)) {
          lines = null;
          fields.require("sku_id", "qty");
        }
      }
      return lines == null ? ofOne(skuId, qty, reference) : ofLines(skuId, qty, reference, lines);
    }

    private static int qty(JsonFields fields) {
      return Math.toIntExact(fields.wholeNumber(1, Limits.QTY_MAX));
    }

    private static OrderWish.Line line(JsonFields fields) {
      long skuId = 0;
      int qty = 0;
      for (String name = fields.next(); name != null; name = fields.next()) {
        switch (name) {
          case "sku_id" -> skuId = fields.wholeNumber(1, Long.MAX_VALUE);
          case "qty" -> qty = qty(fields);
          default -> throw fields.unknown();
        }
      }
      fields.require("sku_id", "qty");
      return new OrderWish.Line(skuId, qty);
    }

    private static PlaceOrderBody ofLines(
        long skuId, int qty, @Nullable String reference, List<OrderWish.Line> lines) {
      if (skuId != 0 || qty != 0) {
        String field = skuId != 0 ? "sku_id" : "qty";
        throw new BadInputException(
            field, "Expected either lines or sku_id and qty, but got lines and " + field);
      }
      if (lines.size() < Limits.CART_LINES_MIN) {
        throw new BadInputException(
            "lines",
            "Expected %d to %d lines, but got %d; an order of one SKU has sku_id and qty"
                .formatted(Limits.CART_LINES_MIN, Limits.CART_LINES_MAX, lines.size()));
      }
      Parameters.requireDistinct("lines", lines.stream().map(OrderWish.Line::skuId).toList());
      return new PlaceOrderBody(reference, lines);
    }
  }
}
