package io.sluice.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the order token of a request: a keyed hash of buyer, SKU and request key. So the same
 * request has the same token on every instance, and nobody can guess another's.
 */
public final class OrderTokens {
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
  private static final int NO_KEY = -1;

  /** Followed by the number of SKUs and their ids: no key can look like that. */
  private static final int KEY_OF_SKUS = -2;

  private static final long NO_SALE = 0;

  private final SipHash128 hash;

  /**
   * @param secret 16 bytes, the same on all instances
   */
  public OrderTokens(byte[] secret) {
    this.hash = new SipHash128(secret);
  }

  /**
   * The token of this request.
   *
   * @param requestKey the buyer's Idempotency-Key, or null: then there is one order per buyer and
   *     SKU
   */
  public OrderToken tokenFor(String userId, BucketId bucket, @Nullable String requestKey) {
    return tokenFor(userId, bucket, requestKey, NO_SALE);
  }

  /**
   * The token of a request in a sale: in the next one, the same request has another.
   *
   * @param saleNo of the SKU's sale; 0 if it is in none
   */
  public OrderToken tokenFor(
      String userId, BucketId bucket, @Nullable String requestKey, long saleNo) {
    byte[] key = requestKey == null ? new byte[0] : requestKey.getBytes(UTF_8);
    return tokenFor(userId, bucket, requestKey == null ? NO_KEY : key.length, key, saleNo);
  }

  /**
   * The token of a request for several SKUs: that of its lead.
   *
   * @param lead the bucket of the lowest SKU id
   * @param requestKey the buyer's Idempotency-Key, or null: then there is one order per buyer and
   *     set of SKUs
   * @param saleNo that of the lead
   * @param skuIds all of them, in order
   */
  public OrderToken tokenFor(
      String userId, BucketId lead, @Nullable String requestKey, long saleNo, List<Long> skuIds) {
    if (requestKey != null) {
      return tokenFor(userId, lead, requestKey, saleNo);
    }
    ByteBuffer skus = ByteBuffer.allocate(4 + Long.BYTES * skuIds.size()).putInt(skuIds.size());
    skuIds.forEach(skus::putLong);
    return tokenFor(userId, lead, KEY_OF_SKUS, skus.array(), saleNo);
  }

  private OrderToken tokenFor(
      String userId, BucketId bucket, int keyLength, byte[] key, long saleNo) {
    byte[] user = userId.getBytes(UTF_8);
    int saleBytes = saleNo == NO_SALE ? 0 : Long.BYTES;
    ByteBuffer fields = ByteBuffer.allocate(4 + user.length + 8 + 4 + key.length + saleBytes);
    fields.putInt(user.length).put(user).putLong(bucket.skuId());
    fields.putInt(keyLength).put(key);
    if (saleNo != NO_SALE) {
      fields.putLong(saleNo);
    }
    String id = BASE64.encodeToString(hash.hash(fields.array()));
    return new OrderToken(
        bucket.skuId(), bucket.bucket(), bucket.skuId() + "." + bucket.bucket() + "." + id);
  }
}
