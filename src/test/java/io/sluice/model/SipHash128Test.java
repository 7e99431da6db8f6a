package io.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SipHash128Test {
  private final SipHash128 unit = new SipHash128(countingUpTo(16));

  /** The vectors of the reference implementation, double-length variant: key 00..0f, input 00... */
  @ParameterizedTest
  @CsvSource({
    "0, a3817f04ba25a8e66df67214c7550293",
    "1, da87c1d86b99af44347659119b22fc45",
    "2, 8177228da4a45dc7fca38bdef60affe4",
    "3, 9c70b60c5267a94e5f33b6b02985ed51",
    "7, a1f1ebbed8dbc153c0b84aa61ff08239",
    "8, 3b62a9ba6258f5610f83e264f31497b4",
    "9, 264499060ad9baabc47f8b02bb6d71ed",
    "15, 5493e99933b0a8117e08ec0f97cfc3d9",
    "16, 6ee2a4ca67b054bbfd3315bf85230577",
    "31, 2939b0183223fafc1723de4f52c43d35",
    "63, 5150d1772f50834a503e069a973fbd7c"
  })
  void shouldGiveTheReferenceVectorWhenInputCountsUp(int length, String expected) {
    // given
    byte[] input = countingUpTo(length);

    // when
    byte[] hash = unit.hash(input);

    // then
    assertThat(HexFormat.of().formatHex(hash)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 15, 17})
  void shouldRefuseAKeyWhenItIsNot16Bytes(int length) {
    // given
    byte[] key = countingUpTo(length);

    // when
    var refused = assertThatThrownBy(() -> new SipHash128(key));

    // then
    refused.hasMessage("Expected a key of 16 bytes, but got " + length);
  }

  @Test
  void shouldDifferWhenTheKeyDiffers() {
    // given
    byte[] otherKey = countingUpTo(16);
    otherKey[15] ^= 1;

    // when
    byte[] other = new SipHash128(otherKey).hash(new byte[0]);

    // then
    assertThat(other).isNotEqualTo(unit.hash(new byte[0]));
  }

  private static byte[] countingUpTo(int end) {
    byte[] bytes = new byte[end];
    for (int i = 0; i < end; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }
}
