package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Reading;
import io.sluice.model.Command;
import io.sluice.model.Grants;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the scan is told, or sees itself, between two looks. */
class TimeoutScanNoticeTest {
  private static final int WINDOW_S = 60;

  private final OwnerScene scene = new OwnerScene(10, WINDOW_S, 0);

  private void bookedOrder(String user) {
    scene.settle();
    scene.placed(user, 1);
    scene.work();
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      scene.advance(Duration.ofSeconds(1));
      scene.work();
    }
  }

  /** Scans without booking from the log. */
  private void scanOnly(int seconds) {
    for (int i = 0; i < seconds; i++) {
      scene.advance(Duration.ofSeconds(1));
      scene.owner.scanTimeouts();
    }
  }

  private OrderStatus status(String user) {
    return scene.order(user).status();
  }

  private Reading reading() {
    return scene.ledger.reading(OwnerScene.PARTITION).result().orElseThrow();
  }

  /** The log may bring an order late whose deadline is before what was looked at. */
  @Test
  void shouldCancelAtOnceWhenAnOrderIsBookedThatIsOverdue() {
    // given
    bookedOrder("alice");
    pass(WINDOW_S + 5);
    long nowMs = scene.clock.millis();
    OrderToken token = scene.token("bob");
    long epoch = scene.row().epoch();
    scene.append(
        new Command.Reserve(
            Grants.of(token, "bob", 1, 9, epoch, nowMs - 20_000, nowMs - 10_000), null));

    // when
    scene.work();

    // then
    assertThat(status("alice")).isEqualTo(OrderStatus.CANCELED);
    assertThat(status("bob")).isEqualTo(OrderStatus.CANCELED);
  }

  /** Shorter than a partition may be without an owner. */
  @Test
  void shouldGiveTheirTimeBackWhenItSawTheLogAwayForAShortTime() {
    // given
    bookedOrder("alice");
    pass(5);

    // when
    scene.log.readable(false);
    scanOnly(10);
    scene.log.readable(true);
    scanOnly(1);

    // then
    assertThat(reading().shiftMs()).isBetween(10_000L, 12_000L);
  }

  @Test
  void shouldStoreItsReadingEveryThreeSecondsWhileNothingIsAway() {
    // given
    bookedOrder("alice");
    scene.calls.of("keepReading").clear();

    // when
    scanOnly(30);

    // then
    assertThat(scene.calls.of("keepReading")).hasSize(10);
  }
}
