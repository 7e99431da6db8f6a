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
    List<Long> waits = new ArrayList<>();
    long nowMs = 1L + random.nextInt(200_000);

    // when
    for (int i = 0; i < 5_000; i++) {
      nowMs += random.nextInt(100) == 0 ? random.nextInt(200_000) : random.nextInt(1_500);
      long second = nowMs / 1_000;
      counted.removeIf(one -> one + 61 <= second);
      if (random.nextInt(10) == 0) {
        windows.withdraw(ADDRESS, nowMs);
        if (!counted.isEmpty()) {
          counted.remove(counted.size() - 1);
        }
        continue;
      }
      waits.add(windows.admit(ADDRESS, nowMs));
      expected.add(counted.size() < LIMIT ? 0 : (counted.get(0) + 61) * 1_000 - nowMs);
      if (counted.size() < LIMIT) {
        counted.add(second);
      }
    }

    // then
    assertThat(waits).isEqualTo(expected);
    assertThat(waits).contains(0L).anyMatch(wait -> wait > 0);
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
    assertThat(windows.admit(ADDRESS, 5_000)).isEqualTo(61_000);
  }
}
