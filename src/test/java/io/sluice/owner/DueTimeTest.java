package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.OrderStatus;
import io.sluice.owner.TimeoutScan.DueAlarm;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the time to pay ends: at the last deadline that the buyer was given, and then at once. */
class DueTimeTest {
  private static final int WINDOW_S = 60;

  private final OwnerScene scene = new OwnerScene(10, WINDOW_S, 0);

  @BeforeEach
  void book() {
    scene.settle();
    scene.placed("alice", 1);
    scene.work();
  }

  private OrderStatus status() {
    return scene.order("alice").status();
  }

  private void extend(int seconds) {
    scene.append(new Command.Extend(scene.token("alice"), seconds));
    scene.work();
  }

  /** Works until so long before the order's deadline. */
  private void passUntilBeforeTheEnd(Duration before) {
    long leftMs = scene.order("alice").payBeforeMs() - scene.clock.instant().toEpochMilli();
    scene.pass(Duration.ofMillis(leftMs).minus(before));
  }

  @Test
  void shouldCancelAtTheNewDeadlineWhenExtended() {
    // given
    scene.pass(Duration.ofSeconds(30));
    extend(120);

    // when
    scene.pass(Duration.ofSeconds(WINDOW_S));
    OrderStatus afterTheFirst = status();
    passUntilBeforeTheEnd(Duration.ofSeconds(1));
    OrderStatus beforeTheLast = status();
    scene.pass(Duration.ofSeconds(1));

    // then
    assertThat(afterTheFirst).isEqualTo(OrderStatus.PENDING);
    assertThat(beforeTheLast).isEqualTo(OrderStatus.PENDING);
    assertThat(status()).isEqualTo(OrderStatus.CANCELED);
    assertThat(scene.redis().available()).isEqualTo(10);
  }

  @Test
  void shouldCancelAtTheNewDeadlineWhenASuccessorFindsIt() {
    // given
    extend(120);
    scene.pass(Duration.ofSeconds(WINDOW_S));

    // when
    scene.takeOver();
    passUntilBeforeTheEnd(Duration.ofSeconds(1));
    OrderStatus beforeTheLast = status();
    scene.pass(Duration.ofSeconds(2));

    // then
    assertThat(beforeTheLast).isEqualTo(OrderStatus.PENDING);
    assertThat(status()).isEqualTo(OrderStatus.CANCELED);
  }

  @Test
  void shouldNotShortenTheTimeWhenTheExtensionIsShorter() {
    // given
    extend(5);

    // when
    scene.pass(Duration.ofSeconds(10));

    // then
    assertThat(status()).isEqualTo(OrderStatus.PENDING);
  }

  /** The interval is only the safety net. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldCancelAtOnceWhenTheDeadlineComesBeforeTheNextScan(boolean isExtended) {
    // given
    if (isExtended) {
      extend(120);
    }
    passUntilBeforeTheEnd(Duration.ofMillis(400));

    // when
    scene.advance(Duration.ofMillis(400).plus(DueAlarm.SLOT));

    // then
    assertThat(status()).isEqualTo(OrderStatus.CANCELED);
  }
}
