package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderStatus;
import io.vertx.core.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In a stampede, with slices that take half a second: 4.5 seconds of rest after each. */
class BookingPacerTest {
  private static final int SLICE_MS = 500;

  private final OwnerScene scene = OwnerScene.withStock(10);

  @BeforeEach
  void bookASliceAndRest() {
    scene.stampede(SLICE_MS);
    scene.placed("alice", 1);
    scene.work();
  }

  @Test
  void shouldRestAsLongAsCourtesySaysWhenOnlyGrantsWait() {
    // given
    scene.placed("bob", 1);
    scene.work();

    // when
    scene.nap(17);
    boolean early = scene.isBooked("bob");
    scene.nap(1);

    // then
    assertThat(early).isFalse();
    assertThat(scene.isBooked("bob")).isTrue();
  }

  @Test
  void shouldBookAtTheNextNapWhenTheStampedeIsOver() {
    // given
    scene.placed("bob", 1);
    scene.work();
    scene.nap(1);
    boolean early = scene.isBooked("bob");

    // when
    scene.isStampede = false;
    scene.nap(1);

    // then
    assertThat(early).isFalse();
    assertThat(scene.isBooked("bob")).isTrue();
  }

  @Test
  void shouldRestNoLongerThanASecondWhenAPaymentWaits() {
    // given
    Grant grant = scene.placed("bob", 1);
    scene.append(new Command.Confirm(grant.token()));
    scene.work();

    // when
    scene.nap(3);
    boolean early = scene.isBooked("bob");
    scene.nap(1);

    // then
    assertThat(early).isFalse();
    assertThat(scene.order("bob").status()).isEqualTo(OrderStatus.CONFIRMED);
  }

  @Test
  void shouldSweepWhatTheLogNeverGotOnlyWhenBookingDoesNotRest() {
    // given
    scene.grant("carol", 1);
    scene.placed("bob", 1);
    scene.work();
    scene.nap(17);

    // when
    scene.work();
    boolean whileItRests = scene.isBooked("carol");
    scene.nap(1);
    scene.work();

    // then
    assertThat(whileItRests).isFalse();
    assertThat(scene.isBooked("carol")).isTrue();
  }

  @Test
  void shouldSweepFromTimeToTimeWhenTheStampedeDoesNotEnd() {
    // given
    scene.grant("carol", 1);
    Grant bobs = scene.placed("bob", 1);

    // when
    for (int step = 0; step < 2 * BucketWatch.SWEEP_WAITS_MAX; step++) {
      scene.append(new Command.Reserve(bobs, null));
      scene.work();
      scene.nap(1);
    }

    // then
    assertThat(scene.isBooked("carol")).isTrue();
  }

  @Test
  void shouldRestNoLongerThanASecondWhenASweepWaits() {
    // given
    scene.grant("carol", 1);
    scene.placed("bob", 1);
    scene.work();
    scene.nap(18);
    scene.placed("dan", 1);
    for (int step = 0; step <= BucketWatch.SWEEP_WAITS_MAX; step++) {
      scene.work();
    }

    // when
    scene.nap(3);
    boolean early = scene.isBooked("carol");
    scene.nap(1);

    // then
    assertThat(early).isFalse();
    assertThat(scene.isBooked("carol")).isTrue();
  }

  @Test
  void shouldStopAtTheNextNap() {
    // given
    var stopped = scene.owner.stop();

    // when
    boolean atOnce = stopped.isComplete();
    scene.nap(1);

    // then
    assertThat(atOnce).isFalse();
    assertThat(stopped.succeeded()).isTrue();
  }

  @Test
  void shouldNotRestWithoutAStampede() {
    // given
    BookingPacer unit =
        new BookingPacer(BookingThrottle.NONE, nap -> Future.failedFuture("no nap"), () -> false);

    // when
    Future<Boolean> next = unit.after(unit.begin());

    // then
    assertThat(next.result()).isTrue();
    assertThat(unit.isResting()).isFalse();
  }
}
