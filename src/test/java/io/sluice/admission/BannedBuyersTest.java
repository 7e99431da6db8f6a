package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.BannedBuyers.News;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BannedBuyersTest {
  private static final long BAN_MS = 600_000;
  private static final long WATCH_MS = 1_800_000;

  /** Before the clock's overflow, as a monotonic clock may be. */
  private long nanos = -5_000_000_000L;

  private final BannedBuyers unit = new BannedBuyers(() -> nanos);

  private void pass(long ms) {
    nanos += Duration.ofMillis(ms).toNanos();
  }

  private static News news(long version, long agoMs, long banMs) {
    return new News("alice", version, agoMs, banMs, banMs + WATCH_MS);
  }

  @Test
  void shouldBanAndThenWatchWhenTimePasses() {
    // given
    boolean banned = unit.ban("alice", BAN_MS, WATCH_MS);

    // when
    pass(BAN_MS - 1);
    long left = unit.remainingMs("alice");
    pass(1);
    long over = unit.remainingMs("alice");
    boolean watched = unit.isWatched("alice");
    pass(WATCH_MS);

    // then
    assertThat(banned).isTrue();
    assertThat(left).isEqualTo(1);
    assertThat(over).isZero();
    assertThat(watched).isTrue();
    assertThat(unit.isWatched("alice")).isFalse();
    assertThat(unit.remainingMs("bob")).isZero();
  }

  @Test
  void shouldBanOnceWhenRequestsOverrunTogether() {
    // given
    unit.ban("alice", BAN_MS, WATCH_MS);

    // when
    boolean again = unit.ban("alice", BAN_MS, WATCH_MS);
    pass(BAN_MS);
    boolean later = unit.ban("alice", BAN_MS, WATCH_MS);

    // then
    assertThat(again).isFalse();
    assertThat(later).isTrue();
  }

  @Test
  void shouldKeepTheNewerEntryWhenNewsComeLate() {
    // given
    unit.learn(news(7, 0, BAN_MS));

    // when
    boolean ended = unit.learn(new News("alice", 8, 0, -1, -1));
    unit.learn(news(7, 10, BAN_MS));

    // then
    assertThat(ended).isTrue();
    assertThat(unit.remainingMs("alice")).isNotPositive();
    assertThat(unit.isWatched("alice")).isFalse();
  }

  @Test
  void shouldNotProlongABanWhenItsEventComesLateOrTwice() {
    // given
    unit.learn(news(7, 0, BAN_MS));

    // when
    pass(BAN_MS);
    unit.learn(news(7, 0, BAN_MS));

    // then
    assertThat(unit.remainingMs("alice")).isZero();
  }

  @Test
  void shouldCountDownAnewWhenTheSameEntryIsReadAgain() {
    // given
    unit.learn(news(7, 0, BAN_MS));

    // when
    pass(1_000);
    unit.learn(news(7, 1_300, BAN_MS - 1_300));

    // then
    assertThat(unit.remainingMs("alice")).isEqualTo(BAN_MS - 1_300);
  }

  @Test
  void shouldKeepABanOfItsOwnWhenOldNewsAreRead() {
    // given
    unit.ban("alice", BAN_MS, WATCH_MS);

    // when
    pass(1_000);
    boolean ended = unit.learn(new News("alice", 900, 1_001, -1, -1));

    // then
    assertThat(ended).isFalse();
    assertThat(unit.remainingMs("alice")).isEqualTo(BAN_MS - 1_000);
  }

  @Test
  void shouldTakeOverWhatTheLedgerMadeOfItsBan() {
    // given
    unit.ban("alice", BAN_MS, WATCH_MS);

    // when
    unit.learn(news(901, 0, 2 * BAN_MS));

    // then
    assertThat(unit.remainingMs("alice")).isEqualTo(2 * BAN_MS);
  }

  @Test
  void shouldForgetOnlyWhatHasNoEffectWhenItExpires() {
    // given
    unit.ban("alice", BAN_MS, WATCH_MS);
    unit.learn(new News("bob", 5, 0, -1, -1));

    // when
    pass(60_000);
    unit.expire();
    int kept = unit.size();
    pass(BAN_MS + WATCH_MS);
    unit.expire();

    // then
    assertThat(kept).isEqualTo(1);
    assertThat(unit.isEmpty()).isTrue();
  }

  @Test
  void shouldBanNobodyElseForOverrunsWhenTheListIsFull() {
    // given
    for (int i = 0; i < BannedBuyers.MAX; i++) {
      unit.ban("buyer-" + i, BAN_MS, WATCH_MS);
    }

    // when
    boolean banned = unit.ban("alice", BAN_MS, WATCH_MS);
    unit.learn(new News("bob", 5, 0, BAN_MS, BAN_MS));

    // then
    assertThat(banned).isFalse();
    assertThat(unit.remainingMs("buyer-0")).isEqualTo(BAN_MS);
    assertThat(unit.remainingMs("bob")).isEqualTo(BAN_MS);
  }
}
