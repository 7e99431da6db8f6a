package io.sluice.model;

import java.util.Optional;

/**
 * The public id of an order: {@code <sku_id>.<bucket>.<22 characters of base64url>}. It names its
 * bucket, and cannot be guessed. Created by {@link OrderTokens}.
 */
public record OrderToken(long skuId, int bucket, String value) {
  private static final int ID_LENGTH = 22;
  private static final String LAST_CHARACTERS = "AQgw";
  static final int SKU_DIGITS_MAX = 19;
  private static final int BUCKET_DIGITS_MAX = 3;

  /** Parses a token; empty if the text is not a valid one. */
  public static Optional<OrderToken> parse(String text) {
    int skuEnd = text.indexOf('.');
    int bucketEnd = text.length() - ID_LENGTH - 1;
    if (skuEnd < 0 || bucketEnd <= skuEnd || text.charAt(bucketEnd) != '.') {
      return Optional.empty();
    }
    long skuId = number(text, 0, skuEnd, SKU_DIGITS_MAX);
    long bucket = number(text, skuEnd + 1, bucketEnd, BUCKET_DIGITS_MAX);
    return skuId >= 1 && bucket >= 0 && bucket < Limits.BUCKETS_MAX && isId(text, bucketEnd + 1)
        ? Optional.of(new OrderToken(skuId, (int) bucket, text))
        : Optional.empty();
  }

  /** Parses a number without leading zeros; negative if the characters are not one. */
  static long number(String text, int from, int to, int digitsMax) {
    boolean padded = to - from > 1 && text.charAt(from) == '0';
    if (to == from || to - from > digitsMax || padded) {
      return -1;
    }
    long number = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      // A number of 19 digits that exceeds a long has become negative.
      number = number * 10 + digit;
    }
    return number;
  }

  private static boolean isId(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean alphanumeric =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!alphanumeric && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether it is a text of an id, and the only one. 22 characters have room for four bits more
   * than 128, which are 0 in a token that Sluice made.
   */
  public boolean isCanonical() {
    int id = value.lastIndexOf('.') + 1;
    return value.length() - id == ID_LENGTH
        && LAST_CHARACTERS.indexOf(value.charAt(value.length() - 1)) >= 0
        && isId(value, id);
  }

  /** The token of the same id in another bucket. */
  public OrderToken in(BucketId other) {
    if (other.skuId() == skuId && other.bucket() == bucket) {
      return this;
    }
    String id = value.substring(value.lastIndexOf('.'));
    return new OrderToken(other.skuId(), other.bucket(), other.skuId() + "." + other.bucket() + id);
  }

  public BucketId bucketId() {
    return new BucketId(skuId, bucket);
  }

  @Override
  public String toString() {
    return value;
  }
}
