package io.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderTokensTest {
  private static final BucketId BUCKET = new BucketId(1001, 0);

  private final OrderTokens unit = new OrderTokens(secret((byte) 0));

  /**
   * Tokens are stored, so they must never change. These were computed once, the first two also by
   * another SipHash implementation.
   */
  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "alice, 1001, 0, none, 1001.0.5UKcLpUgfFBwufgz8fWheQ",
        "alice, 1001, 0, key-1, 1001.0.YxxRdaux41WT62F010SCMA",
        "alice, 1001, 0, '', 1001.0.0VAFQNocURrQEK69sMoSLw",
        "bob, 1001, 0, key-1, 1001.0.X3SqYx8CObzmBwjm0wII6w",
        "alice, 1002, 0, key-1, 1002.0.pGbGQsQ9QtUarzmHZq06Yw",
        "alice, 9223372036854775807, 255, key-1,"
            + " 9223372036854775807.255.2qQiXJq1hTZZsAAK41Dm4Q"
      })
  void shouldStayTheSameForEver(String user, long skuId, int bucket, String key, String expected) {
    // given
    BucketId bucketId = new BucketId(skuId, bucket);

    // when
    OrderToken token = unit.tokenFor(user, bucketId, key);

    // then
    assertThat(token).isEqualTo(new OrderToken(skuId, bucket, expected));
    assertThat(OrderToken.parse(expected)).contains(token);
  }

  @Test
  void shouldDifferWhenAnyFieldOrTheSecretDoes() {
    // given
    OrderTokens otherSecret = new OrderTokens(secret((byte) 1));

    // when
    List<OrderToken> tokens =
        List.of(
            unit.tokenFor("alice", BUCKET, "key"),
            unit.tokenFor("alice", BUCKET, "key2"),
            unit.tokenFor("alice", BUCKET, ""),
            unit.tokenFor("alice", BUCKET, null),
            unit.tokenFor("alicek", BUCKET, "ey"),
            unit.tokenFor("bob", BUCKET, "key"),
            unit.tokenFor("alice", new BucketId(1002, 0), "key"),
            unit.tokenFor("alice", BUCKET, "key", 1),
            unit.tokenFor("alice", BUCKET, "key", 2),
            unit.tokenFor("alice", BUCKET, null, 1),
            otherSecret.tokenFor("alice", BUCKET, "key"));

    // then
    assertThat(tokens).extracting(t -> t.value().replaceFirst(".*\\.", "")).doesNotHaveDuplicates();
  }

  /** Tokens of before sales stay what they were. */
  @Test
  void shouldStayTheSameWhenTheSkuWasInNoSale() {
    assertThat(unit.tokenFor("alice", BUCKET, "key", 0))
        .isEqualTo(unit.tokenFor("alice", BUCKET, "key"));
  }

  private static byte[] secret(byte first) {
    byte[] secret = new byte[16];
    for (int i = 0; i < 16; i++) {
      secret[i] = (byte) (first + i);
    }
    return secret;
  }
}
