package io.sluice.orderlog;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A place in the topic of events, as text without a blank that fits into a request line.
 *
 * @param topicId of the topic, in base64url
 * @param readMs what was written before this time was read; 0 if that is not known
 * @param offsets the next one of each partition that is known; others begin at the oldest event
 */
public record EventCursor(String topicId, long readMs, Map<Integer, Long> offsets) {
  /** With more, the text would not fit into a request line. */
  public static final int PARTITIONS_MAX = 512;

  private static final String MARK = "k";
  private static final int TOPIC_ID_BYTES = 16;
  private static final int NUMBER_BYTES_MAX = 9;
  private static final int TEXT_MAX = 8_192;

  /** Of each number the lower bits are first, and its last byte has no highest bit. */
  private static final int LOWER = 0x7f;

  private static final int MORE = 0x80;
  private static final int BITS = 7;

  public EventCursor {
    offsets = Map.copyOf(offsets);
  }

  /** Reads the text of a cursor; empty if it is none. */
  public static Optional<EventCursor> parse(String text) {
    if (!text.startsWith(MARK) || text.length() > TEXT_MAX) {
      return Optional.empty();
    }
    try {
      return read(ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.substring(MARK.length()))));
    } catch (IllegalArgumentException | BufferUnderflowException another) {
      return Optional.empty();
    }
  }

  private static Optional<EventCursor> read(ByteBuffer bytes) {
    byte[] id = new byte[TOPIC_ID_BYTES];
    bytes.get(id);
    long readMs = number(bytes);
    long count = number(bytes);
    if (count > PARTITIONS_MAX) {
      return Optional.empty();
    }
    Map<Integer, Long> offsets = new HashMap<>();
    for (int partition = 0; partition < count; partition++) {
      long next = number(bytes);
      if (next > 0) {
        offsets.put(partition, next - 1);
      }
    }
    return bytes.hasRemaining()
        ? Optional.empty()
        : Optional.of(
            new EventCursor(
                Base64.getUrlEncoder().withoutPadding().encodeToString(id), readMs, offsets));
  }

  private static long number(ByteBuffer bytes) {
    long number = 0;
    for (int i = 0; i < NUMBER_BYTES_MAX; i++) {
      byte next = bytes.get();
      number |= (long) (next & LOWER) << (i * BITS);
      if (next >= 0) {
        return number;
      }
    }
    throw new IllegalArgumentException("Expected a number of at most 63 bits, but got more");
  }

  /** Its text. */
  public String text() {
    int count = offsets.keySet().stream().mapToInt(partition -> partition + 1).max().orElse(0);
    ByteBuffer bytes = ByteBuffer.allocate(TOPIC_ID_BYTES + (count + 2) * NUMBER_BYTES_MAX);
    bytes.put(Base64.getUrlDecoder().decode(topicId));
    put(bytes, readMs);
    put(bytes, count);
    for (int partition = 0; partition < count; partition++) {
      Long next = offsets.get(partition);
      put(bytes, next == null ? 0 : next + 1);
    }
    return MARK
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(Arrays.copyOf(bytes.array(), bytes.position()));
  }

  private static void put(ByteBuffer bytes, long number) {
    long rest = number;
    while (rest > LOWER) {
      bytes.put((byte) ((rest & LOWER) | MORE));
      rest >>= BITS;
    }
    bytes.put((byte) rest);
  }
}
