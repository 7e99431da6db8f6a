package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SecretHashTest {
  private final SecretHash hash = new SecretHash(new SecureRandom());

  @Test
  void shouldDifferWhenTextsDiffer() {
    // given
    Set<String> texts = new HashSet<>();
    IntStream.range(0, 100_000).forEach(i -> texts.add("buyer-" + i));
    IntStream.range(1, 129).forEach(length -> texts.add("a".repeat(length)));

    // when
    long distinct = texts.stream().map(hash::of).distinct().count();

    // then
    assertThat(distinct).isEqualTo(texts.size());
  }

  @Test
  void shouldSpreadOverAllBitsWhenTextsAreAlike() {
    // given
    int[] ones = new int[Long.SIZE];

    // when
    for (int i = 0; i < 10_000; i++) {
      long value = hash.of("buyer-" + i);
      for (int bit = 0; bit < Long.SIZE; bit++) {
        ones[bit] += (int) (value >>> bit & 1);
      }
    }

    // then
    assertThat(Arrays.stream(ones)).allMatch(count -> count > 4_700 && count < 5_300);
  }

  @Test
  void shouldDependOnItsSecretWhenTextsAreTheSame() {
    // given
    SecretHash other = new SecretHash(new SecureRandom());

    // then
    assertThat(hash.of("alice")).isEqualTo(hash.of("alice")).isNotEqualTo(other.of("alice"));
    assertThat(hash.of(5, 7)).isEqualTo(hash.of(5, 7)).isNotEqualTo(hash.of(7, 5));
  }
}
