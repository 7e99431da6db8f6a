package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.ledger.DuePage;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.Reading;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.Command;
import io.sluice.model.Grants;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which orders are canceled for not being paid, and which could not have been paid. */
class TimeoutScanTest {
  private static final int WINDOW_S = 60;

  private final OwnerScene scene = new OwnerScene(10, WINDOW_S, 0);
  private String buyer = "alice";

  private void bookedOrder(String user) {
    buyer = user;
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

  /** Scans without booking from the log. */
  private void scanOnly(int seconds) {
    for (int i = 0; i < seconds; i++) {
      scene.advance(Duration.ofSeconds(1));
      scene.owner.scanTimeouts();
    }
  }

  private void passWithoutLog(int seconds) {
    scene.log.readable(false);
    pass(seconds);
    scene.log.readable(true);
  }

  private void passWithoutPayments(int seconds) {
    scene.log.taking(false);
    pass(seconds);
    scene.log.taking(true);
  }

  private void passWithoutOwner(int seconds) {
    scene.advance(Duration.ofSeconds(seconds));
    scene.takeOver();
    scene.work();
  }

  private OrderStatus status(String user) {
    return scene.order(user).status();
  }

  private Reading reading() {
    return scene.ledger.reading(OwnerScene.PARTITION).result().orElseThrow();
  }

  /** What happens after an order was booked, for how long it is then open, and when it ends. */
  static Stream<Arguments> outages() {
    return Stream.of(
        outage("nothing was away", 0, at -> {}, WINDOW_S - 1, 1),
        outage("the log was away beyond their time", 20, at -> at.passWithoutLog(100), 39, 2),
        outage("the log took no payments", 20, at -> at.passWithoutPayments(100), 39, 2),
        // The shift ended with the outage's length after it, and this order with it.
        outage("the outage is shorter than what is left", 20, at -> at.passWithoutLog(15), 39, 2),
        outage("placed after the outage", 1, TimeoutScanTest::orderAfterAnOutage, WINDOW_S - 1, 2),
        outage(
            "the owner changes in the middle of the shift",
            20,
            at -> {
              at.passWithoutLog(100);
              at.pass(5);
              at.scene.takeOver();
            },
            30,
            10),
        outage("nobody owned the partition", 20, at -> at.passWithoutOwner(100), 35, 10));
  }

  private static Arguments outage(
      String name, int beforeS, Consumer<TimeoutScanTest> happens, int openS, int thenS) {
    return arguments(beforeS, named(name, happens), openS, thenS);
  }

  private void orderAfterAnOutage() {
    SkuSettings slow = new SkuSettings(86_400, 0, 0, 0);
    scene.ledger.put(new NewSku(OwnerScene.BUCKET.skuId() + 1, 1, 1, Sku.Mode.FAST, slow));
    passWithoutLog(30);
    pass(5);
    bookedOrder("bob");
  }

  @ParameterizedTest
  @MethodSource("outages")
  void shouldGiveTheirTimeBackAndNoMore(
      int beforeS, Consumer<TimeoutScanTest> happens, int openS, int thenS) {
    // given
    bookedOrder("alice");
    pass(beforeS);
    happens.accept(this);

    // when
    pass(openS);
    OrderStatus inTheirTime = status(buyer);
    pass(thenS);

    // then
    assertThat(inTheirTime).isEqualTo(OrderStatus.PENDING);
    assertThat(status(buyer)).isEqualTo(OrderStatus.CANCELED);
  }

  @Test
  void shouldTakeThePaymentThatComesAfterTheOutage() {
    // given
    bookedOrder("alice");
    passWithoutLog(WINDOW_S + 30);
    pass(10);

    // when
    scene.append(new Command.Confirm(scene.token("alice")));
    pass(WINDOW_S + 30);

    // then
    assertThat(status("alice")).isEqualTo(OrderStatus.CONFIRMED);
  }

  @Test
  void shouldShiftNothingWhenThePartitionOnlyChangedHands() {
    // given
    bookedOrder("alice");
    pass(WINDOW_S - 10);

    // when
    passWithoutOwner(15);
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

  /** A scan that began with the first hold read all ended holds of the ledger at each take-over. */
  @Test
  void shouldBeginNearThePlaceOfTheFormerOwnerAndCancelWhatWasBookedBesideIt() {
    // given
    bookedOrder("alice");
    pass(4 * WINDOW_S);
    scene.calls.of("due").clear();
    scene.ledger.book(() -> List.of(scene.grant("bob", 1)));

    // when
    scene.takeOver();
    scene.work();
    DuePlace first = (DuePlace) scene.calls.of("due").get(0)[1];
    pass(WINDOW_S + 1);

    // then
    assertThat(first.payBeforeMs()).isEqualTo(scene.order("alice").payBeforeMs());
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
    assertThat(reading()).isEqualTo(kept);
    assertThat(scene.lost).isTrue();
  }

  // ---- what the place of the scan has passed is looked at again, though it stands open

  /** As after the restore of a database: an order that had ended holds its units again. */
  @Test
  void shouldFindAHoldBehindItsPlaceWithinAnHour() {
    // given
    bookedOrder("alice");
    scene.calls.instead.put("due", call -> Future.succeededFuture(nothingUntil((long) call[2])));
    pass(WINDOW_S + 300);
    scene.calls.instead.remove("due");

    // when
    pass(300);
    OrderStatus early = status("alice");
    pass(3_600);

    // then
    assertThat(early).isEqualTo(OrderStatus.PENDING);
    assertThat(status("alice")).isEqualTo(OrderStatus.CANCELED);
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
