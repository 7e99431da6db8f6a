package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.owner.OwnerSupervisor.Haste;
import io.sluice.testkit.ManualClock;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An instance looks often for what others have left, and only for a while. */
class HasteTest {
  private static final Duration BRIEFLY = Haste.LOOK_EVERY.multipliedBy(5);
  private static final int LOOKS = (int) (Haste.LASTS.toMillis() / Haste.LOOK_EVERY.toMillis());

  private final ManualClock clock = new ManualClock();
  private final ManualVertx vertx = new ManualVertx(clock);
  private int looks;
  private final Haste unit =
      new Haste(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()), () -> looks++);
  private final Home home = new Home();

  private final class Home extends VerticleBase {
    void begin() {
      unit.begin(vertx);
    }
  }

  HasteTest() {
    vertx.deploy(home);
  }

  @Test
  void shouldLookOftenForAWhile() {
    // when
    home.begin();
    vertx.advance(Haste.LASTS.multipliedBy(3));

    // then
    assertThat(looks).isBetween(LOOKS - 1, LOOKS);
  }

  @Test
  void shouldNotLookBeforeItBegins() {
    // when
    vertx.advance(Haste.LASTS);

    // then
    assertThat(looks).isZero();
  }

  @Test
  void shouldLookLongerAndNotMoreOftenWhenItBeginsAgain() {
    // given
    home.begin();
    vertx.advance(BRIEFLY);

    // when
    home.begin();
    home.begin();
    vertx.advance(Haste.LASTS.multipliedBy(3));

    // then
    assertThat(looks).isBetween(LOOKS + 4, LOOKS + 5);
  }

  @Test
  void shouldBeginAnewAfterItHasEnded() {
    // given
    home.begin();
    vertx.advance(Haste.LASTS.multipliedBy(2));
    int before = looks;

    // when
    home.begin();
    vertx.advance(Haste.LASTS.multipliedBy(2));

    // then
    assertThat(looks).isEqualTo(2 * before);
  }
}
