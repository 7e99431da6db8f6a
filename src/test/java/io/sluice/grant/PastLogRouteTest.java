package io.sluice.grant;

import static io.sluice.grant.Desk.accepted;
import static io.sluice.grant.Desk.refusal;
import static io.sluice.grant.Desk.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.model.BucketId;
import io.sluice.model.OrderStatus;
import io.sluice.model.Refusal;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Booking past the log: while the order log is down, where it fails, and when the backlog is too
 * large.
 */
class PastLogRouteTest {
  private final Desk unit = new Desk(1, 3, false);

  @Test
  void shouldSayYesOnlyAfterTheCommitWhenTheLogIsAway() {
    // given
    Future<PlacedOrder> placed = grantedWithoutLog();
    assertThat(placed.isComplete()).isFalse();

    // when
    unit.ledger.bookings.get(0).commit();

    // then
    Accepted each = accepted(placed);
    assertThat(each.fresh()).isTrue();
    assertThat(each.order().status()).isEqualTo(OrderStatus.PENDING);
    assertThat(unit.log.appends).isEmpty();
    assertThat(unit.count("sluice_direct_bookings")).isEqualTo(1);
  }

  @Test
  void shouldAskNobodyWhenTheBudgetIsSpent() {
    // given
    unit.log.away = true;
    List.of("a", "b", "c").forEach(unit::place);
    unit.stock.last().grantAll();
    int asked = unit.stock.reserves.size();

    // when
    Future<PlacedOrder> over = unit.place("d");

    // then
    Refused refused = refused(over);
    assertThat(refused.refusal()).isEqualTo(Refusal.BUSY);
    assertThat(refused.retryAfterS()).isEqualTo(1);
    assertThat(unit.stock.reserves).hasSize(asked);
    assertThat(unit.count("sluice_direct_bookings_refused")).isEqualTo(1);
  }

  @Test
  void shouldRefillTheBudgetWhenTimePasses() {
    // given
    unit.log.away = true;
    List.of("a", "b", "c").forEach(unit::place);
    assertThat(refused(unit.place("d")).refusal()).isEqualTo(Refusal.BUSY);

    // when
    unit.time.advanceMs(340);

    // then
    assertThat(unit.place("d").isComplete()).isFalse();
    assertThat(refused(unit.place("e")).refusal()).isEqualTo(Refusal.BUSY);
  }

  @Test
  void shouldReturnToTheLogWhenItIsBack() {
    // given
    grantedWithoutLog();
    unit.log.away = false;

    // when
    Future<PlacedOrder> placed = unit.place("bob");
    unit.stock.last().grantAll();
    unit.log.ack(1);

    // then
    assertThat(accepted(placed).order().status()).isEqualTo(OrderStatus.RESERVED);
    assertThat(unit.ledger.bookings).hasSize(1);
  }

  @Test
  void shouldBookPastTheLogWhenTheAppendFails() {
    // given
    Future<PlacedOrder> placed = unit.place("alice");
    unit.stock.last().grantAll();

    // when
    unit.log.last().ack().fail("not in time");
    unit.ledger.bookings.get(0).commit();

    // then
    assertThat(accepted(placed).order().status()).isEqualTo(OrderStatus.PENDING);
  }

  @Test
  void shouldNotTryTheLogWhenItWentAwayMeanwhile() {
    // given
    Future<PlacedOrder> placed = unit.place("alice");
    unit.log.away = true;

    // when
    unit.stock.last().grantAll();
    unit.ledger.bookings.get(0).commit();

    // then
    assertThat(accepted(placed).order().status()).isEqualTo(OrderStatus.PENDING);
    assertThat(unit.log.appends).isEmpty();
  }

  @Test
  void shouldBookNoMoreThanTheBudgetWhenARecordOfManyFails() {
    // given
    unit.place("first");
    List<Future<PlacedOrder>> placed =
        List.of("a", "b", "c", "d").stream().map(unit::place).toList();
    unit.stock.last().grantAll();
    unit.stock.last().grantAll();

    // when
    unit.log.last().ack().fail("not in time");
    while (unit.ledger.bookings.stream().anyMatch(one -> !one.outcome().future().isComplete())) {
      unit.ledger.bookings.stream()
          .filter(one -> !one.outcome().future().isComplete())
          .findFirst()
          .orElseThrow()
          .commit();
    }

    // then
    assertThat(placed.subList(0, 3)).allMatch(one -> one.result() instanceof Accepted);
    assertThat(refused(placed.get(3)).refusal()).isEqualTo(Refusal.UNAVAILABLE);
  }

  /** After so many milliseconds; an order that is not live, or what became of it. */
  @ParameterizedTest
  @CsvSource({
    "2001, committed",
    "0, unknown",
    "0, stale",
    "0, REJECTED",
    "0, CANCELED",
    "0, REFUNDED"
  })
  void shouldSayUnavailableWhenThereIsNoYesInTime(long afterMs, String booking) {
    // given
    Future<PlacedOrder> placed = grantedWithoutLog();
    unit.time.stall(Duration.ofMillis(afterMs));
    var booked = unit.ledger.bookings.get(0);

    // when
    switch (booking) {
      case "committed" -> booked.commit();
      case "unknown" -> booked.outcome().fail("connection lost at COMMIT");
      case "stale" -> booked.outcome().complete(new Booked(Map.of(), false));
      default -> booked.commit(OrderStatus.valueOf(booking), false);
    }

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.UNAVAILABLE);
  }

  @Test
  void shouldAskForARebuildWhenTheLedgerHasNoRoom() {
    // given
    grantedWithoutLog();

    // when
    unit.ledger.bookings.get(0).commit(OrderStatus.REJECTED, true);

    // then
    assertThat(unit.ledger.requests).containsExactly("REBUILD " + new BucketId(Desk.SKU, 0));
  }

  @Test
  void shouldBookTogetherWhatWaitsBehindATransaction() {
    // given
    unit.log.away = true;
    for (String buyer : List.of("a", "b", "c")) {
      unit.place(buyer);
      unit.stock.last().grantAll();
    }
    assertThat(unit.ledger.bookings).hasSize(1);

    // when
    unit.ledger.bookings.get(0).commit();

    // then
    assertThat(unit.ledger.bookings).hasSize(2);
    assertThat(unit.ledger.bookings.get(1).userIds()).containsExactly("b", "c");
  }

  @Test
  void shouldRefuseWhenTheBacklogIsOverItsLimit() {
    // given
    fallBehind(unit);

    // when
    Future<PlacedOrder> placed = unit.place("alice");

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
    assertThat(unit.stock.reserves).isEmpty();
  }

  @Test
  void shouldBookPastTheLogWhenTheBacklogIsOverItsLimitAndThatIsWanted() {
    // given
    Desk desk = new Desk(1, 1, true);
    fallBehind(desk);

    // when
    Future<PlacedOrder> placed = desk.place("alice");
    desk.stock.last().grantAll();
    desk.ledger.bookings.get(0).commit();

    // then
    assertThat(accepted(placed).order().status()).isEqualTo(OrderStatus.PENDING);
    assertThat(desk.log.appends).isEmpty();
    assertThat(refused(desk.place("bob")).refusal()).isEqualTo(Refusal.BUSY);
  }

  @Test
  void shouldGrantAgainWhenTheBacklogHasShrunk() {
    // given
    fallBehind(unit);
    assertThat(refused(unit.place("alice")).refusal()).isEqualTo(Refusal.BUSY);
    unit.fences.passed(0, 1);

    // when
    unit.time.advance(Backlog.LOOK_EVERY);

    // then
    assertThat(unit.place("alice").isComplete()).isFalse();
  }

  private Future<PlacedOrder> grantedWithoutLog() {
    unit.log.away = true;
    Future<PlacedOrder> placed = unit.place("alice");
    unit.stock.last().grantAll();
    return placed;
  }

  private static void fallBehind(Desk desk) {
    desk.fences.passed(0, 0);
    desk.log.ends.put(0, (long) Desk.LAG_LIMIT);
  }
}
