package io.sluice.tracing;

/** The 128 bits at the end of an order token, which are its trace id. */
final class OrderHash {
  private static final int CHARACTERS = 22;
  private static final int BITS_PER_CHARACTER = 6;

  /** From here on, 22 characters have the last 64 of 128 bits, and four more behind them. */
  private static final int LOW_AT = 10;

  private static final int SPARE_BITS = 4;

  /** Of the character at {@link #LOW_AT}: its first four bits are the last of the other half. */
  private static final int LOW_BITS = 3;

  private static final int HIGH_BITS = 4;

  private OrderHash() {}

  /** Whether the text is long enough for an order token. */
  static boolean isThere(String text) {
    return text.length() > CHARACTERS;
  }

  /** The last 64 bits; allocates nothing. */
  static long low(String token) {
    int from = token.length() - CHARACTERS;
    long low = bits(token.charAt(from + LOW_AT)) & LOW_BITS;
    for (int i = LOW_AT + 1; i < CHARACTERS - 1; i++) {
      low = low << BITS_PER_CHARACTER | bits(token.charAt(from + i));
    }
    return low << (BITS_PER_CHARACTER - SPARE_BITS)
        | bits(token.charAt(token.length() - 1)) >> SPARE_BITS;
  }

  private static long high(String token) {
    int from = token.length() - CHARACTERS;
    long high = 0;
    for (int i = 0; i < LOW_AT; i++) {
      high = high << BITS_PER_CHARACTER | bits(token.charAt(from + i));
    }
    return high << HIGH_BITS
        | bits(token.charAt(from + LOW_AT)) >> (BITS_PER_CHARACTER - HIGH_BITS);
  }

  /** All bits, as 32 hexadecimal digits. The half that is the id of a span is not 0. */
  static String hex(String token) {
    long low = low(token);
    return hex(high(token)) + hex(low == 0 ? 1 : low);
  }

  /** 16 hexadecimal digits. */
  static String hex(long value) {
    StringBuilder digits = new StringBuilder(16);
    for (int shift = 60; shift >= 0; shift -= 4) {
      digits.append(Character.forDigit((int) (value >>> shift) & 15, 16));
    }
    return digits.toString();
  }

  /** The six bits of a character of base64url. */
  private static int bits(char c) {
    if (c >= 'A' && c <= 'Z') {
      return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
      return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
      return c - '0' + 52;
    }
    return c == '-' ? 62 : 63;
  }
}
