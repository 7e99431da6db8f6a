package io.sluice.orderlog;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes commands as one JSON record of the order log, and decodes records.
 *
 * <p>Decoding never throws, whatever the record contains: the log cannot be changed, so every retry
 * would throw again.
 */
public final class OrderLogCodec {
  private static final int COMMAND_BYTES = 288;

  private static final SerializableString V = new SerializedString("v");
  private static final SerializableString COMMANDS = new SerializedString("commands");
  private static final SerializableString TYPE = new SerializedString("type");
  private static final SerializableString ORDER_TOKEN = new SerializedString("order_token");
  private static final SerializableString SKU_ID = new SerializedString("sku_id");
  private static final SerializableString BUCKET = new SerializedString("bucket");
  private static final SerializableString QTY = new SerializedString("qty");
  private static final SerializableString USER_ID = new SerializedString("user_id");
  private static final SerializableString SEQ = new SerializedString("seq");
  private static final SerializableString EPOCH = new SerializedString("epoch");
  private static final SerializableString GRANTED_AT = new SerializedString("granted_at");
  private static final SerializableString PAY_BEFORE = new SerializedString("pay_before");
  private static final SerializableString SALE_NO = new SerializedString("sale_no");
  private static final SerializableString RUN = new SerializedString("run");
  private static final SerializableString REFERENCE = new SerializedString("reference");
  private static final SerializableString TRACE = new SerializedString("trace");
  private static final SerializableString REASON = new SerializedString("reason");
  private static final SerializableString PAYMENT_REF = new SerializedString("payment_ref");
  private static final SerializableString SECONDS = new SerializedString("seconds");
  private static final SerializableString STEP = new SerializedString("step");
  private static final SerializableString LINES = new SerializedString("lines");
  private static final SerializableString REFUND_ID = new SerializedString("refund_id");

  private OrderLogCodec() {}

  /** Encodes these commands. A {@link Command.Malformed} cannot be encoded. */
  public static byte[] encode(List<Command> commands) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(COMMAND_BYTES * (1 + commands.size()));
    try (JsonGenerator json = RecordFormat.JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeFieldName(V);
      json.writeNumber(RecordFormat.versionOf(commands));
      json.writeFieldName(COMMANDS);
      json.writeStartArray();
      for (Command command : commands) {
        write(json, command);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException impossibleInMemory) {
      throw new UncheckedIOException(impossibleInMemory);
    }
    return bytes.toByteArray();
  }

  /** Decodes a record; null stands for a record without a value. */
  public static Decoded decode(byte @Nullable [] value) {
    byte[] record = value == null ? new byte[0] : value;
    List<Command> plain = PlainRecord.read(record);
    return plain == null ? new RecordReader(record).read() : new Decoded(true, plain);
  }

  private static void write(JsonGenerator json, Command command) throws IOException {
    if (command instanceof Command.Reserve reserve) {
      writeReserve(json, reserve);
    } else if (command instanceof Command.Confirm confirm) {
      writeStart(json, "CONFIRM", confirm.token());
      writeIfThere(json, PAYMENT_REF, confirm.paymentRef());
    } else if (command instanceof Command.Extend extend) {
      writeStart(json, "EXTEND", extend.token());
      json.writeFieldName(SECONDS);
      json.writeNumber(extend.seconds());
    } else if (command instanceof Command.Cancel cancel) {
      writeStart(json, "CANCEL", cancel.token());
      json.writeFieldName(REASON);
      json.writeString(cancel.reason().name());
    } else if (command instanceof Command.Refund refund) {
      writeStart(json, "REFUND", refund.token());
    } else if (command instanceof Command.RefundPart part) {
      writePart(json, part);
    } else {
      throw new IllegalArgumentException(
          "Expected a command that can be applied, but got a malformed one");
    }
    json.writeEndObject();
  }

  private static void writePart(JsonGenerator json, Command.RefundPart part) throws IOException {
    writeStart(json, "REFUND_PART", part.token());
    json.writeFieldName(STEP);
    json.writeString(part.step().name());
    json.writeFieldName(REFUND_ID);
    json.writeString(part.refundId());
    json.writeFieldName(QTY);
    json.writeNumber(part.qty());
    if (part.skuId() != 0) {
      json.writeFieldName(SKU_ID);
      json.writeNumber(part.skuId());
    }
  }

  private static void writeStart(JsonGenerator json, String type, OrderToken token)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName(TYPE);
    json.writeString(type);
    json.writeFieldName(ORDER_TOKEN);
    json.writeString(token.value());
  }

  private static void writeReserve(JsonGenerator json, Command.Reserve reserve) throws IOException {
    Grant grant = reserve.grant();
    Cart cart = grant.cart();
    if (cart == null) {
      writeOne(json, grant);
    } else {
      writeCart(json, grant, cart);
    }
    writeIfThere(json, RUN, Limits.isRun(reserve.run()) ? reserve.run() : null);
    writeIfThere(json, TRACE, RecordFormat.isTrace(reserve.trace()) ? reserve.trace() : null);
    writeIfThere(json, REFERENCE, grant.reference());
  }

  private static void writeCart(JsonGenerator json, Grant grant, Cart cart) throws IOException {
    writeStart(json, "RESERVE_CART", grant.token());
    json.writeFieldName(LINES);
    json.writeString(cart.text());
    json.writeFieldName(USER_ID);
    json.writeString(grant.userId());
    writeTimes(json, grant);
  }

  private static void writeTimes(JsonGenerator json, Grant grant) throws IOException {
    json.writeFieldName(GRANTED_AT);
    json.writeNumber(grant.grantedAtMs());
    json.writeFieldName(PAY_BEFORE);
    json.writeNumber(grant.payBeforeMs());
  }

  private static void writeOne(JsonGenerator json, Grant grant) throws IOException {
    writeStart(json, "RESERVE", grant.token());
    json.writeFieldName(SKU_ID);
    json.writeNumber(grant.token().skuId());
    json.writeFieldName(BUCKET);
    json.writeNumber(grant.token().bucket());
    json.writeFieldName(QTY);
    json.writeNumber(grant.qty());
    json.writeFieldName(USER_ID);
    json.writeString(grant.userId());
    json.writeFieldName(SEQ);
    json.writeNumber(grant.seq());
    json.writeFieldName(EPOCH);
    json.writeNumber(grant.epoch());
    writeTimes(json, grant);
    if (grant.saleNo() != 0) {
      json.writeFieldName(SALE_NO);
      json.writeNumber(grant.saleNo());
    }
  }

  private static void writeIfThere(
      JsonGenerator json, SerializableString name, @Nullable String text) throws IOException {
    if (text != null) {
      json.writeFieldName(name);
      json.writeString(text);
    }
  }
}
