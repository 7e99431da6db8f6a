package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.admission.AdmissionLimits.Excess;
import io.sluice.admission.AdmissionLimits.OrderVerdict;
import io.sluice.admission.BannedBuyers.News;
import io.sluice.config.Config.AdmissionConfig;
import io.sluice.metrics.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When overruns of a buyer's window become a ban. */
class StrikesTest {
  private static final int LIMIT = 2;
  private static final int STRIKES = 3;

  private long nanos;
  private int key;
  private final List<String> bans = new ArrayList<>();
  private final BannedBuyers banned = new BannedBuyers(() -> nanos);
  private final AdmissionLimits unit = limits(STRIKES);

  private AdmissionLimits limits(int strikes) {
    AdmissionLimits limits =
        new AdmissionLimits(
            new AdmissionConfig(0, 0, LIMIT, 0, strikes, 600, 1_800, 20),
            List.of(),
            banned,
            () -> nanos,
            new Meters(new SimpleMeterRegistry()));
    limits.onBan(bans::add);
    return limits;
  }

  private void pass(int seconds) {
    nanos += Duration.ofSeconds(seconds).toNanos();
  }

  /** What becomes of a request with this key: the limit that it exceeds, or {@code ok}. */
  private String order(AdmissionLimits limits, String requestKey) {
    Excess ban = limits.ofBuyer("alice");
    if (ban != null) {
      return "banned " + ban.retryAfterS();
    }
    return limits.ofOrder("alice", new long[] {1}, requestKey) instanceof OrderVerdict.Over over
        ? over.excess().limit().policy()
        : "ok";
  }

  private String order() {
    return order(unit, "key-" + key++);
  }

  @Test
  void shouldBanWhenTheLastStrikeFallsWithinAMinute() {
    // when
    List<String> answers = List.of(order(), order(), order(), order(), order(), order());

    // then
    assertThat(answers).containsExactly("ok", "ok", "buyer", "buyer", "blacklist", "banned 600");
    assertThat(bans).containsExactly("alice");
  }

  @Test
  void shouldNotBanWhenOneRefusedRequestIsRepeated() {
    // given
    order();
    order();

    // when
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      answers.add(order(unit, "again"));
    }

    // then
    assertThat(answers).containsOnly("buyer");
    assertThat(bans).isEmpty();
  }

  @Test
  void shouldNotBanWhenOverrunsAreMoreThanAMinuteApart() {
    // when
    List<String> refused = new ArrayList<>();
    for (int minute = 0; minute < 10; minute++) {
      order();
      order();
      refused.add(order());
      pass(61);
    }

    // then
    assertThat(refused).containsOnly("buyer");
    assertThat(bans).isEmpty();
  }

  @Test
  void shouldBanAtTheFirstOverrunWhenTheLastBanEndedLately() {
    // given
    overrunUntilBanned();
    pass(600 + 1_799);

    // when
    List<String> answers = List.of(order(), order(), order(), order());

    // then
    assertThat(answers).containsExactly("ok", "ok", "blacklist", "banned 600");
    assertThat(bans).hasSize(2);
  }

  @Test
  void shouldCountAllStrikesAgainWhenTheLastBanEndedLongAgo() {
    // given
    overrunUntilBanned();
    pass(600 + 1_800);

    // when
    List<String> answers = List.of(order(), order(), order(), order(), order());

    // then
    assertThat(answers).containsExactly("ok", "ok", "buyer", "buyer", "blacklist");
  }

  @Test
  void shouldForgiveAllWhenABanIsLifted() {
    // given
    overrunUntilBanned();

    // when
    banned.learn(new News("alice", 9, 0, -1, -1));
    unit.forget("alice");

    // then
    assertThat(List.of(order(), order(), order(), order()))
        .containsExactly("ok", "ok", "buyer", "buyer");
  }

  @Test
  void shouldNeverBanWhenStrikesAreOff() {
    // given
    AdmissionLimits lenient = limits(0);

    // when
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(order(lenient, "key-" + i));
    }

    // then
    assertThat(answers.subList(LIMIT, 50)).containsOnly("buyer");
    assertThat(bans).isEmpty();
  }

  private void overrunUntilBanned() {
    for (int i = 0; i < LIMIT + STRIKES; i++) {
      order();
    }
  }
}
