package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DuePage;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.model.OrderStatus;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the place of the scan has passed is looked at again, though it stands open. */
class WalkOverAllTest {
  private static final int WINDOW_S = 60;

  private final OwnerScene scene = new OwnerScene(10, WINDOW_S, 0);

  /** Moves the clock and fires all timers. */
  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      scene.advance(Duration.ofSeconds(1));
      scene.work();
    }
  }

  /** As after the restore of a database: an order that had ended holds its units again. */
  @Test
  void shouldFindAHoldBehindItsPlaceWithinAnHour() {
    // given
    scene.settle();
    scene.placed("alice", 1);
    scene.work();
    scene.calls.instead.put("due", call -> Future.succeededFuture(nothingUntil((long) call[2])));
    pass(WINDOW_S + 300);
    scene.calls.instead.remove("due");

    // when
    pass(300);
    OrderStatus early = scene.order("alice").status();
    pass(3_600);

    // then
    assertThat(early).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CANCELED);
  }

  /** However long the ledger is: what is due now does not wait for it. */
  @Test
  void shouldLookAtOnePageBesideEachScan() {
    // given
    DuePlace inTheMiddle = new DuePlace(7, OwnerScene.BUCKET, 1, 1);
    scene.calls.instead.put("due", call -> Future.succeededFuture(nothingUntil((long) call[2])));
    pass(2);
    scene.calls.instead.put(
        "due",
        call -> {
          boolean walks = call[1].equals(DuePlace.FIRST) || call[1].equals(inTheMiddle);
          return Future.succeededFuture(
              walks ? new DuePage(List.of(), inTheMiddle, false) : nothingUntil((long) call[2]));
        });
    pass(3_600);
    scene.calls.of("due").clear();

    // when
    scene.owner.scanTimeouts();

    // then
    assertThat(scene.calls.of("due")).hasSize(2);
    assertThat(scene.calls.of("due").get(1)[1]).isEqualTo(inTheMiddle);
  }

  private static DuePage nothingUntil(long dueMs) {
    return new DuePage(List.of(), new DuePlace(dueMs, OwnerScene.BUCKET, 1, 1), true);
  }
}
