package io.sluice.grant;

import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each reason for a refusal has an answer of its own. */
class RefusalTest {
  private final Desk unit = new Desk();

  @ParameterizedTest
  @CsvSource({
    "UNAVAILABLE, UNAVAILABLE, 1",
    "BUSY, BUSY, 2",
    "UNKNOWN_SKU, UNKNOWN_SKU, 0",
    "KEY_MISMATCH, KEY_MISMATCH, 0",
    "ORDER_ENDED, ORDER_ENDED, 0",
    "NOT_OPEN, NOT_OPEN, 0",
    "LIMIT_REACHED, LIMIT_REACHED, 0",
    "SOLD_OUT, SOLD_OUT, 0"
  })
  void shouldPassTheRefusalOnWhenRedisRefuses(Refusal said, Refusal answered, int retryAfterS) {
    // given
    Future<PlacedOrder> placed = unit.place("alice");

    // when
    unit.stock.last().refuseAll(said);

    // then
    Refused refused = (Refused) answer(placed);
    assertThat(refused.refusal()).isEqualTo(answered);
    assertThat(refused.retryAfterS()).isEqualTo(retryAfterS);
    assertThat(refused.detail()).startsWith("Expected ").endsWith(".");
    assertThat(unit.log.appends).isEmpty();
    assertThat(countOf(answered)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = BucketCode.class,
      names = {"ABSENT", "LOST", "LOADING", "OTHER_SALE"})
  void shouldBeBusyWhenTheBucketIsAway(BucketCode code) {
    // given
    Future<PlacedOrder> placed = unit.place("alice");

    // when
    unit.stock.last().reply(code);

    // then
    Refused refused = (Refused) answer(placed);
    assertThat(refused.refusal()).isEqualTo(Refusal.BUSY);
    assertThat(refused.retryAfterS()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = BucketCode.class,
      names = {"ABSENT", "OTHER_SALE"})
  void shouldFindABucketThatWasMovedWhenRedisContradicts(BucketCode code) {
    // given
    unit.place("alice");
    int moved = (unit.partition("alice") + 1) % Desk.PARTITIONS;
    unit.ledger.move(Desk.SKU, moved);
    unit.time.advanceMs(1_000);
    unit.stock.last().reply(code);

    // when
    unit.place("bob");
    unit.stock.last().grantAll();

    // then
    assertThat(unit.log.last().partition()).isEqualTo(moved);
  }

  @Test
  void shouldSayHowManyAreLeftWhenMoreAreWanted() {
    // given
    Future<PlacedOrder> placed =
        unit.reservations.place(Desk.wish("alice", Desk.SKU, 5, null), SkuEntry.OPEN);

    // when
    unit.stock.last().reply(3, request -> new GrantOutcome.Refused(Refusal.SOLD_OUT));

    // then
    assertThat(((Refused) answer(placed)).detail()).isEqualTo("Expected 5 units, but 3 are left.");
  }

  @Test
  void shouldRefuseWithoutAskingRedisWhenTheSkuIsUnknown() {
    // given
    long unknown = 4711;

    // when
    Refused refused =
        (Refused)
            answer(unit.reservations.place(Desk.wish("alice", unknown, 1, null), SkuEntry.OPEN));

    // then
    assertThat(refused.refusal()).isEqualTo(Refusal.UNKNOWN_SKU);
    assertThat(unit.stock.reserves).isEmpty();
    assertThat(countOf(Refusal.UNKNOWN_SKU)).isEqualTo(1);
  }

  @Test
  void shouldBeUnavailableWhenTheSkuCannotBeLookedUp() {
    // given
    unit.ledger.down = true;

    // when
    Refused refused = (Refused) answer(unit.place("alice"));

    // then
    assertThat(refused.refusal()).isEqualTo(Refusal.UNAVAILABLE);
    assertThat(countOf(Refusal.UNAVAILABLE)).isEqualTo(1);
  }

  @Test
  void shouldGoOnSellingWhenTheLedgerGoesDownAfterTheFirstRequest() {
    // given
    unit.place("alice");
    unit.stock.last().grantAll();
    unit.ledger.down = true;

    // when
    unit.place("bob");

    // then
    assertThat(unit.stock.reserves).hasSize(2);
  }

  @Test
  void shouldMakeAnotherTokenWhenTheKeyDiffers() {
    // given
    unit.reservations.place(Desk.wish("alice", Desk.SKU, 1, "k1"), SkuEntry.OPEN);
    unit.stock.last().grantAll();

    // when
    unit.reservations.place(Desk.wish("alice", Desk.SKU, 1, "k2"), SkuEntry.OPEN);

    // then
    assertThat(unit.stock.reserves.get(0).requests().get(0).token())
        .isNotEqualTo(unit.stock.reserves.get(1).requests().get(0).token());
  }

  @Test
  void shouldRefuseWithoutAskingRedisWhenTheBuyerIsBarredFromTheSku() {
    // given
    Refused barred = new Refused(Refusal.TICKET_REQUIRED, "Expected a ticket.", 0);

    // when
    PlacedOrder unseen =
        answer(unit.reservations.place(Desk.wish("alice", Desk.SKU, 1, null), sku -> barred));
    PlacedOrder known =
        answer(unit.reservations.place(Desk.wish("alice", Desk.SKU, 1, null), sku -> barred));

    // then
    assertThat(List.of(unseen, known)).containsOnly(barred);
    assertThat(unit.stock.reserves).isEmpty();
    assertThat(countOf(Refusal.TICKET_REQUIRED)).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"SCHEDULED, NOT_OPEN, 5000", "CLOSED, NOT_OPEN, 0", "SCHEDULED, SOLD_OUT, 0"})
  void shouldSayWhenItOpensWhenItIsToOpen(SkuState state, Refusal refusal, long opensAtMs) {
    // given
    unit.ledger.skus.computeIfPresent(
        Desk.SKU,
        (id, sku) -> sku.with(new SkuSettings(300, 2, 5_000, 0), state, state, sku.membership()));
    Future<PlacedOrder> placed = unit.place("alice");

    // when
    unit.stock.last().refuseAll(refusal);

    // then
    assertThat(((Refused) answer(placed)).opensAtMs()).isEqualTo(opensAtMs);
  }

  private double countOf(Refusal refusal) {
    return unit.registry.get("sluice_refusals").tag("refusal", refusal.problem()).counter().count();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 'Expected 1 unit, but 0 are left.'",
    "2, 0, 'Expected 2 units, but 0 are left.'",
    "1, 1, 'Expected 1 unit, but 1 is left.'",
    "2, 1, 'Expected 2 units, but 1 is left.'"
  })
  void shouldSayWhatIsWantedAndWhatIsLeft(int qty, long available, String detail) {
    // when
    Refused refused = Refusals.soldOut(qty, available);

    // then
    assertThat(refused.detail()).isEqualTo(detail);
  }

  /** A request whose SKU must be read first has no place in the queue of grants yet. */
  @Test
  void shouldBeOverloadedWhenTooManyWaitForTheirSku() {
    // given
    unit.ledger.hold();
    for (int i = 0; i < Desk.UNDER_WAY_MAX; i++) {
      assertThat(unit.place("buyer" + i).isComplete()).isFalse();
    }

    // when
    Future<PlacedOrder> over = unit.place("alice");

    // then
    assertThat(refusal(over)).isEqualTo(Refusal.BUSY);
  }
}
