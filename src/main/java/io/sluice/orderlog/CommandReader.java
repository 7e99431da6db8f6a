package io.sluice.orderlog;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Grant.Units;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads commands one by one, and validates every value before it can reach the ledger. One instance
 * reads all commands of a record.
 */
final class CommandReader {
  /** The last millisecond of the year 9999: later ones have no RFC 3339 form. */
  static final long TIME_MS_MAX = 253_402_300_799_999L;

  /** A field that is missing or not an integer. */
  private static final long NONE = Long.MIN_VALUE;

  private static final int WORD_SHOWN_MAX = 64;

  /** The reasons of a CANCEL. */
  static final Set<Reason> CANCELING = EnumSet.of(Reason.BUYER, Reason.TIMEOUT, Reason.OPERATOR);

  private final JsonParser json;
  private @Nullable String problem;

  private @Nullable String type;
  private @Nullable String token;
  private @Nullable String userId;
  private @Nullable String reason;
  private @Nullable String trace;
  private @Nullable String run;
  private @Nullable String reference;
  private @Nullable String paymentRef;
  private @Nullable String step;
  private @Nullable String refundId;
  private @Nullable String lines;
  private long seconds;
  private long skuId;
  private long bucket;
  private long qty;
  private long seq;
  private long epoch;
  private long grantedAtMs;
  private long payBeforeMs;
  private long saleNo;

  CommandReader(JsonParser json) {
    this.json = json;
  }

  /**
   * Reads the command that begins with this token. Returns null if it is malformed; {@link
   * #problem} says why. Throws if the record as a whole is not JSON.
   */
  @Nullable Command read(JsonToken first) throws IOException {
    problem = null;
    if (first != JsonToken.START_OBJECT) {
      json.skipChildren();
      // Strings are read lazily, and the malformed text ends at the parser's position.
      json.finishToken();
      problem = "Expected a command to be a JSON object, but it is not";
      return null;
    }
    clear();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      readField(json.currentName(), json.nextToken());
    }
    return command();
  }

  /** Why the last command is malformed: "Expected ..., but ...". */
  String problem() {
    return problem == null ? "" : problem;
  }

  private void clear() {
    type = null;
    token = null;
    userId = null;
    reason = null;
    trace = null;
    run = null;
    reference = null;
    paymentRef = null;
    step = null;
    refundId = null;
    lines = null;
    seconds = NONE;
    skuId = NONE;
    bucket = NONE;
    qty = NONE;
    seq = NONE;
    epoch = NONE;
    grantedAtMs = NONE;
    payBeforeMs = NONE;
    saleNo = 0;
  }

  private void readField(String name, JsonToken value) throws IOException {
    switch (name) {
      case "type" -> type = text(value);
      case "order_token" -> token = text(value);
      case "user_id" -> userId = text(value);
      case "reason" -> reason = text(value);
      case "trace" -> trace = text(value);
      case "run" -> run = text(value);
      case "reference" -> reference = text(value);
      case "payment_ref" -> paymentRef = text(value);
      case "step" -> step = text(value);
      case "refund_id" -> refundId = text(value);
      case "lines" -> lines = text(value);
      case "seconds" -> seconds = number(value);
      case "sku_id" -> skuId = number(value);
      case "bucket" -> bucket = number(value);
      case "qty" -> qty = number(value);
      case "seq" -> seq = number(value);
      case "epoch" -> epoch = number(value);
      case "granted_at" -> grantedAtMs = number(value);
      case "pay_before" -> payBeforeMs = number(value);
      case "sale_no" -> saleNo = number(value);
      default -> json.skipChildren();
    }
  }

  private @Nullable String text(JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_STRING) {
      return json.getText();
    }
    json.skipChildren();
    return null;
  }

  private long number(JsonToken value) throws IOException {
    if (value == JsonToken.VALUE_NUMBER_INT
        && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return json.getLongValue();
    }
    json.skipChildren();
    return NONE;
  }

  private @Nullable Command command() {
    if (type == null) {
      return malformed("Expected type to be a string, but it is missing or another thing");
    }
    Optional<OrderToken> parsed = token == null ? Optional.empty() : OrderToken.parse(token);
    if (parsed.isEmpty()) {
      return malformed("Expected order_token to be an order token, but it is not");
    }
    return switch (type) {
      case "RESERVE" -> reserve(parsed.get());
      case "RESERVE_CART" -> reserveCart(parsed.get());
      case "CONFIRM" -> confirm(parsed.get());
      case "EXTEND" -> extend(parsed.get());
      case "CANCEL" -> cancel(parsed.get());
      case "REFUND" -> new Command.Refund(parsed.get());
      case "REFUND_PART" -> part(parsed.get());
      default ->
          malformed("Expected type to be a known command, but it is '%s'".formatted(shown(type)));
    };
  }

  private @Nullable Command reserve(OrderToken order) {
    String buyer = userId;
    if (buyer == null || !Limits.isUserId(buyer)) {
      return malformed("Expected user_id to be a user id, but it is not");
    }
    boolean inRange =
        isWithin("sku_id", skuId, order.skuId(), order.skuId())
            && isWithin("bucket", bucket, order.bucket(), order.bucket())
            && isWithin("qty", qty, 1, Limits.QTY_MAX)
            && isWithin("seq", seq, 1, Long.MAX_VALUE)
            && isWithin("epoch", epoch, 1, Long.MAX_VALUE)
            && isWithin("granted_at", grantedAtMs, 1, TIME_MS_MAX)
            && isWithin("pay_before", payBeforeMs, grantedAtMs, payBeforeMaxMs(grantedAtMs))
            && isWithin("sale_no", saleNo, 0, Long.MAX_VALUE);
    return inRange ? reserve(order, buyer) : null;
  }

  private Command reserve(OrderToken order, String buyer) {
    Units units = new Units((int) qty, seq, epoch, grantedAtMs, payBeforeMs, saleNo);
    return reserve(new Grant(order, buyer, units, referred(), null));
  }

  private @Nullable Command reserveCart(OrderToken order) {
    String buyer = userId;
    if (buyer == null || !Limits.isUserId(buyer)) {
      return malformed("Expected user_id to be a user id, but it is not");
    }
    Optional<Cart> cart =
        (lines == null ? Optional.<Cart>empty() : Cart.parse(lines))
            .filter(parsed -> parsed.lead().bucket().equals(order.bucketId()));
    if (cart.isEmpty()) {
      return malformed("Expected lines to be those of a cart of this order, but they are not");
    }
    boolean inRange =
        isWithin("granted_at", grantedAtMs, 1, TIME_MS_MAX)
            && isWithin("pay_before", payBeforeMs, grantedAtMs, payBeforeMaxMs(grantedAtMs));
    return inRange
        ? reserve(Grant.ofLead(cart.get(), order, buyer, grantedAtMs, payBeforeMs, referred()))
        : null;
  }

  /** Texts that nothing depends on are dropped if they are invalid, rather than the order. */
  private Command reserve(Grant grant) {
    return new Command.Reserve(
        grant, Limits.isRun(run) ? run : null, RecordFormat.isTrace(trace) ? trace : null);
  }

  private @Nullable String referred() {
    return Limits.isReference(reference) ? reference : null;
  }

  /** Whether a grant can have these times. */
  static boolean areTimes(long grantedAtMs, long payBeforeMs) {
    return grantedAtMs >= 1
        && grantedAtMs <= TIME_MS_MAX
        && payBeforeMs >= grantedAtMs
        && payBeforeMs <= payBeforeMaxMs(grantedAtMs);
  }

  private static long payBeforeMaxMs(long grantedAtMs) {
    return Math.min(TIME_MS_MAX, grantedAtMs + Limits.PAYMENT_WINDOW_S_MAX * 1_000L);
  }

  /** A payment must not be booked under another name than its own. */
  private @Nullable Command confirm(OrderToken order) {
    return paymentRef == null || Limits.isPaymentRef(paymentRef)
        ? new Command.Confirm(order, paymentRef)
        : malformed("Expected payment_ref to be 1 to 128 visible characters, but it is not");
  }

  private @Nullable Command extend(OrderToken order) {
    return isWithin("seconds", seconds, 1, Limits.EXTENSION_S_MAX)
        ? new Command.Extend(order, (int) seconds)
        : null;
  }

  private @Nullable Command part(OrderToken order) {
    if (refundId == null || !Limits.isRefundId(refundId)) {
      return malformed("Expected refund_id to be a refund id, but it is not");
    }
    for (Step known : Step.values()) {
      if (known.name().equals(step)) {
        return part(order, refundId, known);
      }
    }
    return malformed("Expected step to be REQUEST, COMPLETE or REJECT, but it is not");
  }

  private @Nullable Command part(OrderToken order, String id, Step known) {
    if (known != Step.REQUEST) {
      return new Command.RefundPart(order, id, 0, known);
    }
    long line = skuId == NONE ? 0 : skuId;
    return isWithin("qty", qty, 1, Limits.QTY_MAX) && isWithin("sku_id", line, 0, Long.MAX_VALUE)
        ? new Command.RefundPart(order, id, (int) qty, known, line)
        : null;
  }

  private @Nullable Command cancel(OrderToken order) {
    for (Reason known : CANCELING) {
      if (known.name().equals(reason)) {
        return new Command.Cancel(order, known);
      }
    }
    return malformed("Expected reason to be BUYER, TIMEOUT or OPERATOR, but it is not");
  }

  private boolean isWithin(String field, long value, long min, long max) {
    if (value >= min && value <= max) {
      return true;
    }
    String found = value == NONE ? "missing or no integer" : Long.toString(value);
    problem = "Expected %s to be in %d..%d, but it is %s".formatted(field, min, max, found);
    return false;
  }

  private @Nullable Command malformed(String why) {
    problem = why;
    return null;
  }

  private static String shown(String word) {
    return word.length() <= WORD_SHOWN_MAX ? word : word.substring(0, WORD_SHOWN_MAX);
  }
}
