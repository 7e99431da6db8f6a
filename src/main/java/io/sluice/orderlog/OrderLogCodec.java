package io.sluice.orderlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.SerializedString;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Grant.Units;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The format of the order log: commands are written as one JSON record, and records are read.
 *
 * <p>Reading never throws, whatever the record contains: the log cannot be changed, so every retry
 * would throw again. Fields that are not known are read over. An invalid command is malformed
 * alone; a record that cannot be parsed is one malformed command. Every value is checked before it
 * can reach the ledger.
 */
public final class OrderLogCodec {
  /**
   * The version of each record, unless it has a command that owners of the release before must not
   * misread: that one has a higher version, for which they wait.
   */
  static final int VERSION = 5;

  /** Of a record with a refund whose units leave the stock; the highest that this build reads. */
  static final int VERSION_MAX = 6;

  /** A longer trace is dropped, rather than the order. */
  static final int TRACE_MAX = 128;

  /** The number of characters of a malformed command that are kept. */
  static final int RAW_MAX = 4_096;

  /** The last millisecond of the year 9999: later ones have no RFC 3339 form. */
  static final long TIME_MS_MAX = 253_402_300_799_999L;

  private static final int COMMAND_BYTES = 288;

  /** What {@link #encode} writes before and after the commands. */
  private static final byte[] HEAD = head(VERSION);

  /** Of another record; as long. */
  private static final byte[] HEAD_MAX = head(VERSION_MAX);

  private static final byte[] TAIL = "]}".getBytes(UTF_8);

  /** The reasons of a CANCEL. */
  private static final Set<Reason> CANCELING =
      EnumSet.of(Reason.BUYER, Reason.TIMEOUT, Reason.OPERATOR);

  /** Field names are a small fixed set, and interning them costs a lock. */
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  /** The fields of commands, in lower case. */
  private enum Field {
    TYPE,
    ORDER_TOKEN,
    SKU_ID(true),
    BUCKET(true),
    QTY(true),
    USER_ID,
    SEQ(true),
    EPOCH(true),
    GRANTED_AT(true),
    PAY_BEFORE(true),
    SALE_NO(true),
    RUN,
    TRACE,
    REFERENCE,
    REASON,
    PAYMENT_REF,
    SECONDS(true),
    STEP,
    LINES,
    REFUND_ID,
    RESTOCK(true);

    private static final Map<String, Field> BY_NAME =
        Stream.of(values())
            .collect(Collectors.toMap(field -> field.name.getValue(), Function.identity()));

    private final SerializedString name = new SerializedString(name().toLowerCase(Locale.ROOT));
    private final boolean isNumber;

    Field() {
      this(false);
    }

    Field(boolean isNumber) {
      this.isNumber = isNumber;
    }

    void write(JsonGenerator json, @Nullable String text) throws IOException {
      if (text != null) {
        json.writeFieldName(name);
        json.writeString(text);
      }
    }

    void write(JsonGenerator json, long number) throws IOException {
      json.writeFieldName(name);
      json.writeNumber(number);
    }
  }

  /**
   * A decoded record.
   *
   * @param supported false if its version is higher than this build reads
   * @param commands if it is not supported, the record as one malformed command
   */
  public record Decoded(boolean supported, List<Command> commands) {}

  private OrderLogCodec() {}

  private static byte[] head(int version) {
    return "{\"v\":%d,\"commands\":[".formatted(version).getBytes(UTF_8);
  }

  /** Encodes these commands. A {@link Command.Malformed} cannot be encoded. */
  public static byte[] encode(List<Command> commands) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(COMMAND_BYTES * (1 + commands.size()));
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField(
          "v", commands.stream().anyMatch(Command::withdraws) ? VERSION_MAX : VERSION);
      json.writeArrayFieldStart("commands");
      for (Command command : commands) {
        json.writeStartObject();
        write(json, command);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException impossibleInMemory) {
      throw new UncheckedIOException(impossibleInMemory);
    }
    return bytes.toByteArray();
  }

  /** One record with the commands of these, each encoded by this build, in their order. */
  public static byte[] join(List<byte[]> records) {
    ByteArrayOutputStream joined =
        new ByteArrayOutputStream(records.stream().mapToInt(record -> record.length).sum());
    joined.writeBytes(records.stream().anyMatch(OrderLogCodec::isOfMax) ? HEAD_MAX : HEAD);
    for (int i = 0; i < records.size(); i++) {
      byte[] record = records.get(i);
      if (i > 0) {
        joined.write(',');
      }
      joined.write(record, HEAD.length, record.length - HEAD.length - TAIL.length);
    }
    joined.writeBytes(TAIL);
    return joined.toByteArray();
  }

  private static boolean isOfMax(byte[] record) {
    return Arrays.equals(record, 0, HEAD_MAX.length, HEAD_MAX, 0, HEAD_MAX.length);
  }

  /** Decodes a record; null stands for a record without a value. */
  public static Decoded decode(byte @Nullable [] value) {
    return new Reader(value == null ? new byte[0] : value).read();
  }

  private static boolean isTrace(@Nullable String trace) {
    return trace != null && trace.length() <= TRACE_MAX;
  }

  private static void write(JsonGenerator json, Command command) throws IOException {
    if (command instanceof Command.Reserve reserve) {
      writeReserve(json, reserve);
    } else if (command instanceof Command.Confirm confirm) {
      writeStart(json, "CONFIRM", confirm.token());
      Field.PAYMENT_REF.write(json, confirm.paymentRef());
    } else if (command instanceof Command.Extend extend) {
      writeStart(json, "EXTEND", extend.token());
      Field.SECONDS.write(json, extend.seconds());
    } else if (command instanceof Command.Cancel cancel) {
      writeStart(json, "CANCEL", cancel.token());
      Field.REASON.write(json, cancel.reason().name());
    } else if (command instanceof Command.Refund refund) {
      writeStart(json, "REFUND", refund.token());
      writeRestock(json, refund.restock());
    } else if (command instanceof Command.RefundPart part) {
      writeStart(json, "REFUND_PART", part.token());
      Field.STEP.write(json, part.step().name());
      Field.REFUND_ID.write(json, part.refundId());
      Field.QTY.write(json, part.qty());
      if (part.skuId() != 0) {
        Field.SKU_ID.write(json, part.skuId());
      }
      writeRestock(json, part.restock());
    } else {
      throw new IllegalArgumentException(
          "Expected a command that can be applied, but got a malformed one");
    }
  }

  private static void writeStart(JsonGenerator json, String type, OrderToken token)
      throws IOException {
    Field.TYPE.write(json, type);
    Field.ORDER_TOKEN.write(json, token.value());
  }

  /** Only if units are not sold again. */
  private static void writeRestock(JsonGenerator json, boolean restock) throws IOException {
    if (!restock) {
      Field.RESTOCK.write(json, 0);
    }
  }

  private static void writeReserve(JsonGenerator json, Command.Reserve reserve) throws IOException {
    Grant grant = reserve.grant();
    Cart cart = grant.cart();
    if (cart == null) {
      writeStart(json, "RESERVE", grant.token());
      Field.SKU_ID.write(json, grant.token().skuId());
      Field.BUCKET.write(json, grant.token().bucket());
      Field.QTY.write(json, grant.qty());
      Field.USER_ID.write(json, grant.userId());
      Field.SEQ.write(json, grant.seq());
      Field.EPOCH.write(json, grant.epoch());
    } else {
      writeStart(json, "RESERVE_CART", grant.token());
      Field.LINES.write(json, cart.text());
      Field.USER_ID.write(json, grant.userId());
    }
    Field.GRANTED_AT.write(json, grant.grantedAtMs());
    Field.PAY_BEFORE.write(json, grant.payBeforeMs());
    if (cart == null && grant.saleNo() != 0) {
      Field.SALE_NO.write(json, grant.saleNo());
    }
    Field.RUN.write(json, Limits.isRun(reserve.run()) ? reserve.run() : null);
    Field.TRACE.write(json, isTrace(reserve.trace()) ? reserve.trace() : null);
    Field.REFERENCE.write(json, grant.reference());
  }

  /** Reads one record. */
  private static final class Reader {
    /** A field that is missing or not an integer. */
    private static final long NONE = Long.MIN_VALUE;

    private static final int UTF8_BYTES_MAX = 4;
    private static final int WORD_SHOWN_MAX = 64;
    private static final int FIELDS = Field.values().length;

    private final byte[] record;
    private final List<Command> commands = new ArrayList<>();
    private int version;
    private boolean hasCommands;

    /** Why the record, or the last command, is malformed: "Expected ..., but ...". */
    private @Nullable String problem;

    /** The values of the last command's fields. */
    private final @Nullable String[] texts = new String[FIELDS];

    private final long[] numbers = new long[FIELDS];

    Reader(byte[] record) {
      this.record = record;
    }

    Decoded read() {
      try (JsonParser json = JSON.createParser(record)) {
        readRecord(json);
      } catch (IOException | RuntimeException notJson) {
        // A RuntimeException is a bug of the parser; it must not block the partition either.
        return new Decoded(true, malformed("Expected JSON, but " + firstLine(notJson)));
      }
      if (version > VERSION_MAX) {
        return new Decoded(
            false, malformed("Expected v to be at most " + VERSION_MAX + ", but it is " + version));
      }
      if (problem == null && version == 0) {
        problem = "Expected v to be the record's version, but there is none";
      }
      if (problem == null && !hasCommands) {
        problem = "Expected commands to be an array, but there is none";
      }
      return new Decoded(true, problem == null ? List.copyOf(commands) : malformed(problem));
    }

    private void readRecord(JsonParser json) throws IOException {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        problem = "Expected the record to be a JSON object, but it is not";
        skipAll(json);
        return;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (name.equals("v")) {
          readVersion(json, value);
        } else if (name.equals("commands") && version <= VERSION_MAX) {
          readCommands(json, value);
        } else {
          json.skipChildren();
        }
      }
      if (json.nextToken() != null) {
        problem = "Expected one JSON object, but more follows";
        skipAll(json);
      }
    }

    private void readVersion(JsonParser json, JsonToken value) throws IOException {
      boolean isInt =
          value == JsonToken.VALUE_NUMBER_INT && json.getNumberType() == JsonParser.NumberType.INT;
      if (version != 0 || !isInt || json.getIntValue() < 1) {
        problem = "Expected v to be one positive integer, but it is not";
        json.skipChildren();
      } else {
        version = json.getIntValue();
      }
    }

    private void readCommands(JsonParser json, JsonToken value) throws IOException {
      if (value != JsonToken.START_ARRAY || hasCommands) {
        problem = "Expected commands to be one array, but it is not";
        json.skipChildren();
        return;
      }
      hasCommands = true;
      String ofRecord = problem;
      for (JsonToken item = json.nextToken();
          item != JsonToken.END_ARRAY;
          item = json.nextToken()) {
        long begin = json.currentTokenLocation().getByteOffset();
        Command command = readCommand(json, item);
        commands.add(
            command != null
                ? command
                : new Command.Malformed(rawFrom(begin, json), String.valueOf(problem)));
      }
      problem = ofRecord;
    }

    /** The text from this byte to the end of the current token. */
    private String rawFrom(long begin, JsonParser json) {
      long end = json.currentLocation().getByteOffset();
      // The parser has no byte offsets for a record that it takes for UTF-16 or UTF-32.
      return begin < 0 || end < begin ? raw(0, record.length) : raw((int) begin, (int) end);
    }

    private String raw(int begin, int end) {
      int length = Math.min(end - begin, RAW_MAX * UTF8_BYTES_MAX);
      String text = new String(record, begin, length, UTF_8);
      if (text.length() <= RAW_MAX) {
        return text;
      }
      int cut = Character.isHighSurrogate(text.charAt(RAW_MAX - 1)) ? RAW_MAX - 1 : RAW_MAX;
      return text.substring(0, cut);
    }

    private List<Command> malformed(String why) {
      return List.of(new Command.Malformed(raw(0, record.length), why));
    }

    private static void skipAll(JsonParser json) throws IOException {
      while (json.nextToken() != null) {
        json.skipChildren();
      }
    }

    private static String firstLine(Exception failure) {
      return String.valueOf(failure.getMessage()).lines().findFirst().orElse("it is not");
    }

    // ---- one command; null, and a problem, if it is malformed

    private @Nullable Command readCommand(JsonParser json, JsonToken first) throws IOException {
      if (first != JsonToken.START_OBJECT) {
        json.skipChildren();
        // Strings are read lazily, and the malformed text ends at the parser's position.
        json.finishToken();
        return malformedAlone("Expected a command to be a JSON object, but it is not");
      }
      Arrays.fill(texts, null);
      Arrays.fill(numbers, NONE);
      numbers[Field.SALE_NO.ordinal()] = 0;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        Field field = Field.BY_NAME.get(json.currentName());
        JsonToken value = json.nextToken();
        if (field == null) {
          json.skipChildren();
        } else {
          readValue(json, field, value);
        }
      }
      return command();
    }

    private void readValue(JsonParser json, Field field, JsonToken value) throws IOException {
      if (field.isNumber) {
        boolean isLong =
            value == JsonToken.VALUE_NUMBER_INT
                && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
        numbers[field.ordinal()] = isLong ? json.getLongValue() : NONE;
      } else {
        texts[field.ordinal()] = value == JsonToken.VALUE_STRING ? json.getText() : null;
      }
      json.skipChildren();
    }

    private @Nullable String text(Field field) {
      return texts[field.ordinal()];
    }

    private long number(Field field) {
      return numbers[field.ordinal()];
    }

    private @Nullable Command command() {
      String type = text(Field.TYPE);
      if (type == null) {
        return malformedAlone("Expected type to be a string, but it is missing or another thing");
      }
      String token = text(Field.ORDER_TOKEN);
      Optional<OrderToken> parsed = token == null ? Optional.empty() : OrderToken.parse(token);
      if (parsed.isEmpty()) {
        return malformedAlone("Expected order_token to be an order token, but it is not");
      }
      OrderToken order = parsed.get();
      return switch (type) {
        case "RESERVE" -> reserve(order);
        case "RESERVE_CART" -> reserveCart(order);
        case "CONFIRM" -> confirm(order);
        case "EXTEND" -> extend(order);
        case "CANCEL" -> cancel(order);
        case "REFUND" -> new Command.Refund(order, restocks());
        case "REFUND_PART" -> part(order);
        default ->
            malformedAlone(
                "Expected type to be a known command, but it is '%s'".formatted(shown(type)));
      };
    }

    private @Nullable Command reserve(OrderToken order) {
      boolean inRange =
          isBuyer()
              && isWithin(Field.SKU_ID, order.skuId(), order.skuId())
              && isWithin(Field.BUCKET, order.bucket(), order.bucket())
              && isWithin(Field.QTY, 1, Limits.QTY_MAX)
              && isWithin(Field.SEQ, 1, Long.MAX_VALUE)
              && isWithin(Field.EPOCH, 1, Long.MAX_VALUE)
              && areTimes()
              && isWithin(Field.SALE_NO, 0, Long.MAX_VALUE);
      if (!inRange) {
        return null;
      }
      Units units =
          new Units(
              (int) number(Field.QTY),
              number(Field.SEQ),
              number(Field.EPOCH),
              number(Field.GRANTED_AT),
              number(Field.PAY_BEFORE),
              number(Field.SALE_NO));
      return reserve(order, units, null);
    }

    private @Nullable Command reserveCart(OrderToken order) {
      if (!isBuyer()) {
        return null;
      }
      String lines = text(Field.LINES);
      Optional<Cart> cart =
          (lines == null ? Optional.<Cart>empty() : Cart.parse(lines))
              .filter(parsed -> parsed.lead().bucket().equals(order.bucketId()));
      if (cart.isEmpty()) {
        return malformedAlone(
            "Expected lines to be those of a cart of this order, but they are not");
      }
      if (!areTimes()) {
        return null;
      }
      Units units = Units.of(cart.get().lead(), number(Field.GRANTED_AT), number(Field.PAY_BEFORE));
      return reserve(order, units, cart.get());
    }

    /** Texts that nothing depends on are dropped if they are invalid, rather than the order. */
    private Command reserve(OrderToken order, Units units, @Nullable Cart cart) {
      String reference = text(Field.REFERENCE);
      String run = text(Field.RUN);
      String trace = text(Field.TRACE);
      Grant grant =
          new Grant(
              order,
              String.valueOf(text(Field.USER_ID)),
              units,
              Limits.isReference(reference) ? reference : null,
              cart);
      return new Command.Reserve(
          grant, Limits.isRun(run) ? run : null, isTrace(trace) ? trace : null);
    }

    private boolean isBuyer() {
      String buyer = text(Field.USER_ID);
      return expected(
          buyer != null && Limits.isUserId(buyer),
          "Expected user_id to be a user id, but it is not");
    }

    private boolean areTimes() {
      long grantedAtMs = number(Field.GRANTED_AT);
      return isWithin(Field.GRANTED_AT, 1, TIME_MS_MAX)
          && isWithin(
              Field.PAY_BEFORE,
              grantedAtMs,
              Math.min(TIME_MS_MAX, grantedAtMs + Limits.PAYMENT_WINDOW_S_MAX * 1_000L));
    }

    /** A payment must not be booked under another name than its own. */
    private @Nullable Command confirm(OrderToken order) {
      String paymentRef = text(Field.PAYMENT_REF);
      return expected(
              paymentRef == null || Limits.isPaymentRef(paymentRef),
              "Expected payment_ref to be 1 to 128 visible characters, but it is not")
          ? new Command.Confirm(order, paymentRef)
          : null;
    }

    private @Nullable Command extend(OrderToken order) {
      return isWithin(Field.SECONDS, 1, Limits.EXTENSION_S_MAX)
          ? new Command.Extend(order, (int) number(Field.SECONDS))
          : null;
    }

    private @Nullable Command part(OrderToken order) {
      String id = text(Field.REFUND_ID);
      if (id == null || !Limits.isRefundId(id)) {
        return malformedAlone("Expected refund_id to be a refund id, but it is not");
      }
      for (Step known : Step.values()) {
        if (known.name().equals(text(Field.STEP))) {
          return part(order, id, known);
        }
      }
      return malformedAlone("Expected step to be REQUEST, COMPLETE or REJECT, but it is not");
    }

    private @Nullable Command part(OrderToken order, String id, Step known) {
      if (known != Step.REQUEST) {
        return new Command.RefundPart(order, id, 0, known, 0, known != Step.COMPLETE || restocks());
      }
      if (number(Field.SKU_ID) == NONE) {
        numbers[Field.SKU_ID.ordinal()] = 0;
      }
      return isWithin(Field.QTY, 1, Limits.QTY_MAX) && isWithin(Field.SKU_ID, 0, Long.MAX_VALUE)
          ? new Command.RefundPart(order, id, (int) number(Field.QTY), known, number(Field.SKU_ID))
          : null;
    }

    private boolean restocks() {
      return number(Field.RESTOCK) != 0;
    }

    private @Nullable Command cancel(OrderToken order) {
      for (Reason known : CANCELING) {
        if (known.name().equals(text(Field.REASON))) {
          return new Command.Cancel(order, known);
        }
      }
      return malformedAlone("Expected reason to be BUYER, TIMEOUT or OPERATOR, but it is not");
    }

    private boolean isWithin(Field field, long min, long max) {
      long value = number(field);
      return (value >= min && value <= max)
          || expected(
              false,
              "Expected %s to be in %d..%d, but it is %s"
                  .formatted(
                      field.name, min, max, value == NONE ? "missing or no integer" : value));
    }

    private boolean expected(boolean holds, String why) {
      if (!holds) {
        problem = why;
      }
      return holds;
    }

    private @Nullable Command malformedAlone(String why) {
      problem = why;
      return null;
    }

    private static String shown(String word) {
      return word.length() <= WORD_SHOWN_MAX ? word : word.substring(0, WORD_SHOWN_MAX);
    }
  }
}
