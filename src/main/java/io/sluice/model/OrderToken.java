package io.sluice.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The public id of an order: {@code <sku_id>.<bucket>.<22 characters of base64url>}. It routes
 * itself and cannot be guessed; {@link OrderTokens} makes it.
 */
public record OrderToken(long skuId, int bucket, String value) {
  private static final Pattern FORM =
      Pattern.compile("([1-9][0-9]{0,18})\\.(0|[1-9][0-9]{0,2})\\.[A-Za-z0-9_-]{22}");

  /** The token that this text spells, or empty where no token can have this form. */
  public static Optional<OrderToken> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    try {
      long skuId = Long.parseLong(form.group(1));
      int bucket = Integer.parseInt(form.group(2));
      return bucket < Limits.BUCKETS_MAX
          ? Optional.of(new OrderToken(skuId, bucket, text))
          : Optional.empty();
    } catch (NumberFormatException beyondLong) {
      return Optional.empty();
    }
  }

  public BucketId bucketId() {
    return new BucketId(skuId, bucket);
  }

  @Override
  public String toString() {
    return value;
  }
}
