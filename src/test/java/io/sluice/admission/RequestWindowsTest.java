package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.RequestWindows.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestWindowsTest {
  private static final long ALICE = 0x1234_5678_9abc_def1L;
  private static final int LIMIT = 3;
  private static final int OVERRUNS = 2;

  private final RequestWindows windows = new RequestWindows(LIMIT, OVERRUNS);

  /** The same rules over a list of everything that happened. */
  private static final class Model {
    private record Seen(long key, long atMs, boolean refused) {}

    private final List<Seen> seen = new ArrayList<>();

    Outcome admit(long key, long nowMs) {
      seen.removeIf(one -> nowMs - one.atMs() >= 60_000);
      List<Seen> counted = seen.stream().filter(one -> !one.refused()).toList();
      int overruns = seen.size() - counted.size();
      if (counted.stream().anyMatch(one -> one.key() == key)) {
        return Outcome.Admitted.REPEATED;
      }
      if (counted.size() < LIMIT) {
        seen.add(new Seen(key, nowMs, false));
        return Outcome.Admitted.COUNTED;
      }
      boolean fresh = seen.stream().noneMatch(one -> one.refused() && one.key() == key);
      if (fresh && overruns < OVERRUNS) {
        seen.add(new Seen(key, nowMs, true));
      }
      long retryMs = counted.get(0).atMs() + 60_000 - nowMs;
      return new Outcome.Refused(retryMs, overruns + (fresh ? 1 : 0), fresh);
    }

    void withdraw(long key) {
      seen.stream()
          .filter(one -> !one.refused() && one.key() == key)
          .findFirst()
          .ifPresent(seen::remove);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldAnswerAsTheModelWhenRequestsComeAtRandom(long seed) {
    // given
    Random random = new Random(seed);
    Model model = new Model();
    List<Outcome> expected = new ArrayList<>();
    List<Outcome> verdicts = new ArrayList<>();
    List<Boolean> foreseen = new ArrayList<>();
    long nowMs = 1L + random.nextInt(100_000);

    // when
    for (int i = 0; i < 5_000; i++) {
      nowMs += random.nextInt(10) == 0 ? random.nextInt(70_000) : random.nextInt(6_000);
      long key = 1L + random.nextInt(12);
      if (random.nextInt(8) == 0) {
        windows.withdraw(ALICE, key);
        model.withdraw(key);
      } else {
        foreseen.add(windows.isCounted(ALICE, key, nowMs));
        verdicts.add(windows.admit(ALICE, key, nowMs));
        expected.add(model.admit(key, nowMs));
      }
    }

    // then
    assertThat(verdicts).isEqualTo(expected);
    assertThat(foreseen)
        .isEqualTo(expected.stream().map(Outcome.Admitted.REPEATED::equals).toList());
    assertThat(verdicts)
        .contains(Outcome.Admitted.REPEATED, Outcome.Admitted.COUNTED)
        .hasAtLeastOneElementOfType(Outcome.Refused.class);
  }

  @Test
  void shouldRefuseUntilTheOldestIsAMinuteOldWhenTheLimitIsReached() {
    // given
    windows.admit(ALICE, 1, 1_000);
    windows.admit(ALICE, 2, 2_000);
    windows.admit(ALICE, 3, 3_000);

    // when
    Outcome early = windows.admit(ALICE, 4, 60_999);
    Outcome inTime = windows.admit(ALICE, 4, 61_000);

    // then
    assertThat(early).isEqualTo(new Outcome.Refused(1, 1, true));
    assertThat(inTime).isEqualTo(Outcome.Admitted.COUNTED);
  }

  @Test
  void shouldNotCountAgainWhenARefusedKeyIsRetried() {
    // given
    fill(ALICE, 1);

    // when
    windows.admit(ALICE, 7, 10);
    Outcome again = windows.admit(ALICE, 7, 20);
    Outcome other = windows.admit(ALICE, 8, 30);

    // then
    assertThat(again).isEqualTo(new Outcome.Refused(59_981, 1, false));
    assertThat(other).isEqualTo(new Outcome.Refused(59_971, 2, true));
  }

  @Test
  void shouldStartAnewWhenABuyerIsForgotten() {
    // given
    fill(ALICE, 1);

    // when
    windows.forget(ALICE);

    // then
    assertThat(windows.admit(ALICE, 9, 2)).isEqualTo(Outcome.Admitted.COUNTED);
  }

  @Test
  void shouldKeepWhoIsNearTheLimitWhenIdsAreInvented() {
    // given
    Random random = new Random(3);
    windows.admit(ALICE, 1, 1);
    windows.admit(ALICE, 2, 1);

    // when
    for (int i = 0; i < 20 * windows.slots(); i++) {
      windows.admit(random.nextLong() | 1, 1, 2);
    }

    // then
    assertThat(windows.admit(ALICE, 3, 3)).isEqualTo(Outcome.Admitted.COUNTED);
    assertThat(windows.admit(ALICE, 4, 3)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void shouldAdmitWhoHasNoPlaceWhenAllOthersAreNearTheLimit() {
    // given
    Random random = new Random(5);
    for (int i = 0; i < 4 * windows.slots(); i++) {
      fill(random.nextLong() | 1, 1);
    }

    // when
    windows.admit(ALICE, 1, 2);
    Outcome verdict = windows.admit(ALICE, 1, 2);

    // then
    assertThat(verdict).isEqualTo(Outcome.Admitted.UNCOUNTED);
    assertThat(windows.isCounted(ALICE, 1, 2)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100, 1_000})
  void shouldHaveABoundWhateverTheLimitIs(int limit) {
    // when
    RequestWindows large = new RequestWindows(limit, 3);

    // then
    assertThat(large.slots()).isBetween(1_024, 1 << 17);
    assertThat(large.words.length).isLessThanOrEqualTo(1 << 21);
  }

  private void fill(long id, long nowMs) {
    for (int key = 100; key < 100 + LIMIT; key++) {
      windows.admit(id, key, nowMs);
    }
  }
}
