package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.Reading;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.Command;
import io.sluice.model.OrderStatus;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which orders are canceled for not being paid, and which could not have been paid. */
class TimeoutScanTest {
  private static final int WINDOW_S = 60;

  private final OwnerScene scene = new OwnerScene(10, WINDOW_S, 0);

  private void bookedOrder(String user) {
    scene.settle();
    scene.placed(user, 1);
    scene.work();
  }

  /** Moves the clock and fires all timers. */
  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      scene.advance(Duration.ofSeconds(1));
      scene.work();
    }
  }

  private OrderStatus status(String user) {
    return scene.order(user).status();
  }

  @Test
  void shouldCancelAtTheMomentWhenNothingWasAway() {
    // given
    bookedOrder("alice");

    // when
    pass(WINDOW_S - 1);
    OrderStatus before = status("alice");
    pass(1);

    // then
    assertThat(before).isEqualTo(OrderStatus.PENDING);
    assertThat(status("alice")).isEqualTo(OrderStatus.CANCELED);
  }

  @Test
  void shouldGiveTheirTimeBackWhenTheLogWasAwayBeyondIt() {
    // given
    bookedOrder("alice");
    pass(20);

    // when
    scene.log.readable(false);
    pass(100);
    scene.log.readable(true);
    pass(39);
    OrderStatus inTheirTime = status("alice");
    pass(2);

    // then
    assertThat(inTheirTime).isEqualTo(OrderStatus.PENDING);
    assertThat(status("alice")).isEqualTo(OrderStatus.CANCELED);
  }

  @Test
  void shouldGiveTheirTimeBackWhenTheLogCouldBeReadButTookNoPayments() {
    // given
    bookedOrder("alice");
    pass(20);

    // when
    scene.log.taking(false);
    pass(100);
    OrderStatus whileAway = status("alice");
    scene.log.taking(true);
    pass(39);
    OrderStatus inTheirTime = status("alice");
    pass(2);

    // then
    assertThat(whileAway).isEqualTo(OrderStatus.PENDING);
    assertThat(inTheirTime).isEqualTo(OrderStatus.PENDING);
    assertThat(status("alice")).isEqualTo(OrderStatus.CANCELED);
  }

  /** The shift ended with the outage's length after it, and this order with it. */
  @Test
  void shouldGiveTheirWholeTimeBackWhenTheOutageIsShorterThanWhatIsLeft() {
    // given
    bookedOrder("alice");
    pass(20);

    // when
    scene.log.readable(false);
    pass(15);
    scene.log.readable(true);
    pass(39);
    OrderStatus inTheirTime = status("alice");
    pass(2);

    // then
    assertThat(inTheirTime).isEqualTo(OrderStatus.PENDING);
    assertThat(status("alice")).isEqualTo(OrderStatus.CANCELED);
  }

  @Test
  void shouldGiveNoMoreTimeWhenAnOrderIsPlacedAfterTheOutage() {
    // given
    SkuSettings slow = new SkuSettings(86_400, 0, 0, 0);
    scene.ledger.put(new NewSku(OwnerScene.BUCKET.skuId() + 1, 1, 1, Sku.Mode.FAST, slow));
    bookedOrder("alice");
    pass(1);
    scene.log.readable(false);
    pass(30);
    scene.log.readable(true);
    pass(5);

    // when
    bookedOrder("bob");
    pass(WINDOW_S - 1);
    OrderStatus inTheirTime = status("bob");
    pass(2);

    // then
    assertThat(inTheirTime).isEqualTo(OrderStatus.PENDING);
    assertThat(status("bob")).isEqualTo(OrderStatus.CANCELED);
  }

  @Test
  void shouldTakeThePaymentThatComesAfterTheOutage() {
    // given
    bookedOrder("alice");
    scene.log.readable(false);
    pass(WINDOW_S + 30);
    scene.log.readable(true);
    pass(10);

    // when
    scene.append(new Command.Confirm(scene.token("alice")));
    pass(WINDOW_S + 30);

    // then
    assertThat(status("alice")).isEqualTo(OrderStatus.CONFIRMED);
  }

  @Test
  void shouldKeepTheShiftWhenTheOwnerChangesInTheMiddleOfIt() {
    // given
    bookedOrder("alice");
    pass(20);
    scene.log.readable(false);
    pass(100);
    scene.log.readable(true);
    pass(5);

    // when
    scene.takeOver();
    pass(30);
    OrderStatus inTheirTime = status("alice");
    pass(10);

    // then
    assertThat(inTheirTime).isEqualTo(OrderStatus.PENDING);
    assertThat(status("alice")).isEqualTo(OrderStatus.CANCELED);
  }

  @Test
  void shouldGiveTheirTimeBackWhenNobodyOwnedThePartition() {
    // given
    bookedOrder("alice");
    pass(20);

    // when
    scene.advance(Duration.ofSeconds(100));
    scene.takeOver();
    scene.work();
    pass(35);
    OrderStatus inTheirTime = status("alice");
    pass(10);

    // then
    assertThat(inTheirTime).isEqualTo(OrderStatus.PENDING);
    assertThat(status("alice")).isEqualTo(OrderStatus.CANCELED);
  }

  @Test
  void shouldShiftNothingWhenThePartitionOnlyChangedHands() {
    // given
    bookedOrder("alice");
    pass(WINDOW_S - 10);

    // when
    scene.advance(Duration.ofSeconds(15));
    scene.takeOver();
    scene.work();
    pass(1);

    // then
    assertThat(status("alice")).isEqualTo(OrderStatus.CANCELED);
  }

  @Test
  void shouldShiftNothingWhenTheOwnerLagsAndTheLogCanBeRead() {
    // given
    bookedOrder("alice");
    scene.placed("bob", 1);

    // when
    scanOnly(40);
    scene.work();

    // then
    assertThat(scene.isBooked("bob")).isTrue();
    assertThat(reading().shiftMs()).isZero();
  }

  @Test
  void shouldGiveTheirTimeBackWhenTheLogHadLostWhatWasNext() {
    // given
    bookedOrder("alice");
    scene.placed("bob", 1);
    scanOnly(10);
    long end = scene.log.endOffset(OwnerScene.PARTITION).result();
    scene.log.forgetBefore(OwnerScene.PARTITION, end);

    // when
    scanOnly(40);
    scene.ledger.skipLost(OwnerScene.PARTITION, end - 1, end);
    scene.takeOver();
    scene.work();

    // then
    assertThat(reading().shiftMs()).isBetween(35_000L, 45_000L);
  }

  /** A scan that began with the first hold read all ended holds of the ledger at each take-over. */
  @Test
  void shouldBeginNearThePlaceOfTheFormerOwnerWhenThePartitionIsTakenOver() {
    // given
    bookedOrder("alice");
    pass(4 * WINDOW_S);
    scene.calls.of("due").clear();

    // when
    scene.takeOver();
    scene.work();

    // then
    DuePlace first = (DuePlace) scene.calls.of("due").get(0)[1];
    assertThat(first.payBeforeMs()).isEqualTo(scene.order("alice").payBeforeMs());
  }

  @Test
  void shouldCancelWhatWasBookedBesideTheFormerOwner() {
    // given
    bookedOrder("alice");
    pass(4 * WINDOW_S);
    scene.ledger.book(List.of(scene.grant("bob", 1)));

    // when
    scene.takeOver();
    pass(WINDOW_S + 1);

    // then
    assertThat(status("bob")).isEqualTo(OrderStatus.CANCELED);
  }

  @Test
  void shouldCancelAgainWhenALedgerThatWasRestoredHasTheOrderOpen() {
    // given
    bookedOrder("alice");
    pass(WINDOW_S - 10);
    Runnable restore = scene.ledger.backup();
    pass(4 * WINDOW_S);

    // when
    restore.run();
    scene.takeOver();
    pass(4 * WINDOW_S + 20);

    // then
    assertThat(status("alice")).isEqualTo(OrderStatus.CANCELED);
  }

  private Reading reading() {
    return scene.ledger.reading(OwnerScene.PARTITION).result().orElseThrow();
  }

  /** Scans without booking from the log. */
  private void scanOnly(int seconds) {
    for (int i = 0; i < seconds; i++) {
      scene.advance(Duration.ofSeconds(1));
      scene.owner.scanTimeouts();
    }
  }

  @Test
  void shouldChangeNothingWhenTheFenceIsAnothers() {
    // given
    bookedOrder("alice");
    Reading kept = reading();
    PartitionOwner zombie = scene.owner;
    scene.ledger.takeOver(OwnerScene.PARTITION, 0);

    // when
    scene.advance(Duration.ofSeconds(300));
    zombie.scanTimeouts();

    // then
    assertThat(scene.ledger.reading(OwnerScene.PARTITION).result()).contains(kept);
    assertThat(scene.lost).isTrue();
  }
}
