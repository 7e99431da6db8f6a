package io.sluice.testkit.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A message in the wire format of Protocol Buffers, as far as OTLP needs it. */
final class WireMessage {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private record Field(int number, long value, byte[] bytes) {}

  private final List<Field> fields = new ArrayList<>();

  WireMessage(byte[] encoded) {
    ByteBuffer buffer = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      long key = varint(buffer);
      int number = (int) (key >>> 3);
      int type = (int) (key & 7);
      switch (type) {
        case VARINT -> fields.add(new Field(number, varint(buffer), new byte[0]));
        case FIXED64 -> fields.add(new Field(number, buffer.getLong(), new byte[0]));
        case FIXED32 -> fields.add(new Field(number, buffer.getInt(), new byte[0]));
        case BYTES -> {
          byte[] bytes = new byte[(int) varint(buffer)];
          buffer.get(bytes);
          fields.add(new Field(number, 0, bytes));
        }
        default -> throw new IllegalArgumentException("Expected a wire type, but got " + type);
      }
    }
  }

  private static long varint(ByteBuffer buffer) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = buffer.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  boolean has(int number) {
    return fields.stream().anyMatch(field -> field.number() == number);
  }

  /** All messages of this field. */
  List<WireMessage> messages(int number) {
    return fields.stream()
        .filter(field -> field.number() == number)
        .map(field -> new WireMessage(field.bytes()))
        .toList();
  }

  /** The bytes of this field as hexadecimal digits; empty where it is missing. */
  String hex(int number) {
    return HexFormat.of().formatHex(bytes(number));
  }

  /** The text of this field; empty where it is missing. */
  String text(int number) {
    return new String(bytes(number), UTF_8);
  }

  private byte[] bytes(int number) {
    return fields.stream()
        .filter(field -> field.number() == number)
        .map(Field::bytes)
        .findFirst()
        .orElse(new byte[0]);
  }

  /** The number of this field; 0 where it is missing. */
  long number(int number) {
    return fields.stream()
        .filter(field -> field.number() == number)
        .mapToLong(Field::value)
        .findFirst()
        .orElse(0);
  }
}
