package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallWindowsTest {
  private static final long ADDRESS = 0x1234_5678_9abc_def1L;
  private static final int LIMIT = 40;

  private final CallWindows windows = new CallWindows(LIMIT);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldCountTheLast61SecondsWhenCallsComeAtRandom(long seed) {
    // given
    Random random = new Random(seed);
    List<Long> counted = new ArrayList<>();
    List<Long> expected = new ArrayList<>();
    List<Long> answers = new ArrayList<>();
    long nowMs = 1L + random.nextInt(200_000);

    // when
    for (int i = 0; i < 5_000; i++) {
      nowMs += random.nextInt(100) == 0 ? random.nextInt(200_000) : random.nextInt(1_500);
      long second = nowMs / 1_000;
      counted.removeIf(one -> one + 61 <= second);
      if (random.nextInt(10) == 0) {
        long anyMs = Math.max(1, nowMs - random.nextInt(90_000));
        windows.withdraw(ADDRESS, anyMs);
        counted.remove(anyMs / 1_000);
        continue;
      }
      answers.add(windows.admit(ADDRESS, nowMs));
      expected.add(counted.size() < LIMIT ? nowMs : nowMs - (counted.get(0) + 61) * 1_000);
      if (counted.size() < LIMIT) {
        counted.add(second);
      }
    }

    // then
    assertThat(answers).isEqualTo(expected);
    assertThat(answers).anyMatch(answer -> answer > 0).anyMatch(answer -> answer < 0);
  }

  @Test
  void shouldTakeBackNothingWhenThatCallWasNotCounted() {
    // given
    for (int i = 0; i < LIMIT; i++) {
      windows.admit(ADDRESS, 5_000);
    }

    // when
    windows.withdraw(ADDRESS, 4_000);
    windows.withdraw(ADDRESS, 66_000);

    // then
    assertThat(windows.admit(ADDRESS, 6_000)).isNegative();
  }

  @Test
  void shouldCountNowhereWhenAllSlotsAreNearTheLimit() {
    // given
    Random random = new Random(5);
    for (int i = 0; i < 4 * windows.slots(); i++) {
      long id = random.nextLong() | 1;
      for (int j = 0; j < LIMIT; j++) {
        windows.admit(id, 5_000);
      }
    }

    // when
    long answer = windows.admit(ADDRESS, 5_000);

    // then
    assertThat(answer).isEqualTo(CallWindows.UNCOUNTED);
  }

  @Test
  void shouldKeepWhoIsNearTheLimitWhenAddressesAreInvented() {
    // given
    Random random = new Random(3);
    for (int i = 0; i < LIMIT; i++) {
      windows.admit(ADDRESS, 5_000);
    }

    // when
    for (int i = 0; i < 20 * windows.slots(); i++) {
      windows.admit(random.nextLong() | 1, 5_000);
    }

    // then
    assertThat(windows.admit(ADDRESS, 5_000)).isEqualTo(-61_000);
  }
}
