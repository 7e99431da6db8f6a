package io.sluice.orderlog;

import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Grant.Units;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.model.PlainJson;
import io.sluice.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of the order log that are exactly as {@link OrderLogCodec} of this version writes
 * them, and whose commands are all valid. All others are left to {@link RecordReader}.
 */
final class PlainRecord {
  private static final String BEGIN = begin(RecordFormat.PLAIN_VERSION);
  private static final String BEGIN_OF_3 = begin(RecordFormat.VERSION_WITHOUT_CARTS);
  private static final String BEGIN_OF_LATEST = begin(RecordFormat.VERSION);

  private final PlainJson json;

  private PlainRecord(byte[] record) {
    this.json = new PlainJson(record);
  }

  private static String begin(int version) {
    return "{\"v\":" + version + ",\"commands\":[";
  }

  /** Its commands; null if it is not of this form. */
  static @Nullable List<Command> read(byte[] record) {
    return new PlainRecord(record).read();
  }

  private @Nullable List<Command> read() {
    if (!json.skip(BEGIN) && !json.skip(BEGIN_OF_3) && !json.skip(BEGIN_OF_LATEST)) {
      return null;
    }
    List<Command> commands = new ArrayList<>();
    do {
      Command command = command();
      if (command == null) {
        return null;
      }
      commands.add(command);
    } while (json.skip(","));
    json.pass("]}");
    return json.isWhole() ? List.copyOf(commands) : null;
  }

  /** The next command; null if it is not plain, or not valid. */
  private @Nullable Command command() {
    String type = json.text("{\"type\":\"");
    Optional<OrderToken> read = OrderToken.parse(json.text(",\"order_token\":\""));
    if (read.isEmpty()) {
      return null;
    }
    OrderToken token = read.get();
    Command command =
        switch (type) {
          case "RESERVE" -> reserve(token);
          case "RESERVE_CART" -> reserveCart(token);
          case "CONFIRM" -> confirm(token);
          case "EXTEND" -> extend(token, json.number(",\"seconds\":"));
          case "CANCEL" -> cancel(token, json.text(",\"reason\":\""));
          case "REFUND" -> new Command.Refund(token);
          case "REFUND_PART" -> part(token);
          default -> null;
        };
    json.pass("}");
    return json.isGood() ? command : null;
  }

  private @Nullable Command confirm(OrderToken token) {
    String paymentRef = textIfThere(",\"payment_ref\":");
    return paymentRef == null || Limits.isPaymentRef(paymentRef)
        ? new Command.Confirm(token, paymentRef)
        : null;
  }

  private static @Nullable Command extend(OrderToken token, long seconds) {
    return seconds >= 1 && seconds <= Limits.EXTENSION_S_MAX
        ? new Command.Extend(token, (int) seconds)
        : null;
  }

  private @Nullable Command part(OrderToken token) {
    String step = json.text(",\"step\":\"");
    String refundId = json.text(",\"refund_id\":\"");
    long qty = json.number(",\"qty\":");
    long skuId = json.skip(",\"sku_id\":") ? json.number("") : 0;
    if (!json.isGood() || !Limits.isRefundId(refundId) || skuId < 0) {
      return null;
    }
    for (Step known : Step.values()) {
      boolean fits =
          known == Step.REQUEST ? qty >= 1 && qty <= Limits.QTY_MAX : qty == 0 && skuId == 0;
      if (known.name().equals(step) && fits) {
        return new Command.RefundPart(token, refundId, (int) qty, known, skuId);
      }
    }
    return null;
  }

  private static @Nullable Command cancel(OrderToken token, String reason) {
    for (Reason known : CommandReader.CANCELING) {
      if (known.name().equals(reason)) {
        return new Command.Cancel(token, known);
      }
    }
    return null;
  }

  private @Nullable Command reserve(OrderToken token) {
    long skuId = json.number(",\"sku_id\":");
    long bucket = json.number(",\"bucket\":");
    long qty = json.number(",\"qty\":");
    String userId = json.text(",\"user_id\":\"");
    long seq = json.number(",\"seq\":");
    long epoch = json.number(",\"epoch\":");
    long grantedAtMs = json.number(",\"granted_at\":");
    long payBeforeMs = json.number(",\"pay_before\":");
    long saleNo = json.skip(",\"sale_no\":") ? json.number("") : 0;
    String run = textIfThere(",\"run\":");
    String trace = textIfThere(",\"trace\":");
    String reference = textIfThere(",\"reference\":");
    boolean isValid =
        Limits.isUserId(userId)
            && skuId == token.skuId()
            && bucket == token.bucket()
            && qty >= 1
            && qty <= Limits.QTY_MAX
            && seq >= 1
            && epoch >= 1
            && CommandReader.areTimes(grantedAtMs, payBeforeMs)
            && (run == null || Limits.isRun(run))
            && (trace == null || RecordFormat.isTrace(trace))
            && (reference == null || Limits.isReference(reference));
    if (!isValid) {
      return null;
    }
    Units units = new Units((int) qty, seq, epoch, grantedAtMs, payBeforeMs, saleNo);
    return new Command.Reserve(new Grant(token, userId, units, reference, null), run, trace);
  }

  private @Nullable Command reserveCart(OrderToken token) {
    String lines = json.text(",\"lines\":\"");
    String userId = json.text(",\"user_id\":\"");
    long grantedAtMs = json.number(",\"granted_at\":");
    long payBeforeMs = json.number(",\"pay_before\":");
    String run = textIfThere(",\"run\":");
    String trace = textIfThere(",\"trace\":");
    String reference = textIfThere(",\"reference\":");
    boolean isValid =
        json.isGood()
            && Limits.isUserId(userId)
            && CommandReader.areTimes(grantedAtMs, payBeforeMs)
            && (run == null || Limits.isRun(run))
            && (trace == null || RecordFormat.isTrace(trace))
            && (reference == null || Limits.isReference(reference));
    return isValid
        ? Cart.parse(lines)
            .filter(cart -> cart.lead().bucket().equals(token.bucketId()))
            .map(cart -> Grant.ofLead(cart, token, userId, grantedAtMs, payBeforeMs, reference))
            .map(grant -> new Command.Reserve(grant, run, trace))
            .orElse(null)
        : null;
  }

  private @Nullable String textIfThere(String name) {
    return json.skip(name) ? json.text("\"") : null;
  }
}
