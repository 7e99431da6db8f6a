package io.sluice.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

  /**
   * SipHash-2-4 with a 128-bit result (Aumasson and Bernstein, 2012, and the reference
   * implementation's double-length variant): a short-input keyed hash. Tested with the test vectors
   * of the reference.
   */
  static final class SipHash128 {
    private static final int ROUNDS = 2;
    private static final int FINAL_ROUNDS = 4;

    private final long k0;
    private final long k1;

    SipHash128(byte[] key) {
      if (key.length != 16) {
        throw new IllegalArgumentException("Expected a key of 16 bytes, but got " + key.length);
      }
      ByteBuffer halves = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
      this.k0 = halves.getLong();
      this.k1 = halves.getLong();
    }

    byte[] hash(byte[] input) {
      State s = new State(k0, k1);
      ByteBuffer words = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
      while (words.remaining() >= Long.BYTES) {
        s.absorb(words.getLong());
      }
      long last = (long) input.length << 56;
      for (int shift = 0; words.hasRemaining(); shift += 8) {
        last |= (words.get() & 0xffL) << shift;
      }
      s.absorb(last);
      ByteBuffer result = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
      s.v2 ^= 0xee;
      result.putLong(s.squeeze());
      s.v1 ^= 0xdd;
      result.putLong(s.squeeze());
      return result.array();
    }

    private static final class State {
      long v0;
      long v1;
      long v2;
      long v3;

      State(long k0, long k1) {
        v0 = k0 ^ 0x736f6d6570736575L;
        v1 = k1 ^ 0x646f72616e646f6dL ^ 0xee;
        v2 = k0 ^ 0x6c7967656e657261L;
        v3 = k1 ^ 0x7465646279746573L;
      }

      void absorb(long word) {
        v3 ^= word;
        rounds(ROUNDS);
        v0 ^= word;
      }

      long squeeze() {
        rounds(FINAL_ROUNDS);
        return v0 ^ v1 ^ v2 ^ v3;
      }

      private void rounds(int count) {
        for (int i = 0; i < count; i++) {
          v0 += v1;
          v2 += v3;
          v1 = Long.rotateLeft(v1, 13) ^ v0;
          v3 = Long.rotateLeft(v3, 16) ^ v2;
          v0 = Long.rotateLeft(v0, 32);
          v2 += v1;
          v0 += v3;
          v1 = Long.rotateLeft(v1, 17) ^ v2;
          v3 = Long.rotateLeft(v3, 21) ^ v0;
          v2 = Long.rotateLeft(v2, 32);
        }
      }
    }
  }
}
