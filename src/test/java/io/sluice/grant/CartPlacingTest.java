package io.sluice.grant;

import static io.sluice.grant.Desk.refusal;
import static io.sluice.grant.Desk.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.OrderWish.Line;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.ledger.InMemoryCounts;
import io.sluice.model.BucketId;
import io.sluice.model.Placement;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.Skus;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which SKUs may be ordered together, and when Redis is asked for them. */
class CartPlacingTest extends CartPlacingScene {

  private void expectNotTogether(Future<PlacedOrder> placed, long skuId) {
    assertThat(refusal(placed)).isEqualTo(Refusal.NOT_TOGETHER);
    assertThat(refused(placed).skuId()).isEqualTo(skuId);
    assertThat(refused(placed).detail()).contains("SKU " + skuId + " ");
    assertThat(calls).isEmpty();
  }

  @Test
  void shouldAskOnceForAllLinesByTheirSkuIds() {
    // when
    place("alice", null, new Line(OTHER, 2), new Line(LEAD, 1));

    // then
    StockStore.Request asked = last().only();
    assertThat(asked.userId()).isEqualTo("alice");
    assertThat(asked.token().bucketId()).isEqualTo(new BucketId(LEAD, 0));
    assertThat(asked.lines())
        .containsExactly(
            new StockStore.Line(new BucketId(LEAD, 0), 1, 1),
            new StockStore.Line(new BucketId(OTHER, 0), 2, 1));
  }

  // ---- which SKUs are together

  @Test
  void shouldRefuseThemTogetherWhenTheirSaleTakesNoCarts() {
    // given
    open(SALE, false);

    // when
    Future<PlacedOrder> placed = place("alice");

    // then
    expectNotTogether(placed, LEAD);
  }

  @ParameterizedTest
  @ValueSource(longs = {LEAD, OTHER})
  void shouldNameTheSkuThatIsInNoSale(long skuId) {
    // given
    unit.ledger.add(skuId, 1);

    // when
    Future<PlacedOrder> placed = place("alice");

    // then
    expectNotTogether(placed, skuId);
  }

  @Test
  void shouldNameTheSkuThatIsInAnotherSaleThanTheLead() {
    // given
    sell("books", 1, OTHER, 1, PARTITION);

    // when
    Future<PlacedOrder> placed = place("alice");

    // then
    expectNotTogether(placed, OTHER);
  }

  @ParameterizedTest
  @CsvSource({
    LEAD + ", 'Expected SKUs of mode direct, but SKU " + OTHER + " is fast.'",
    OTHER + ", 'Expected SKUs of mode fast, but SKU " + OTHER + " is direct.'"
  })
  void shouldNameTheFirstSkuOfAnotherModeThanTheLeads(long direct, String detail) {
    // given
    sellDirectly(direct);

    // when
    Future<PlacedOrder> placed = place("alice");

    // then
    expectNotTogether(placed, OTHER);
    assertThat(refused(placed).detail()).isEqualTo(detail);
  }

  private void sellDirectly(long skuId) {
    Sku sku = unit.ledger.skus.get(skuId);
    unit.ledger.skus.put(skuId, Skus.placed(sku, Sku.Mode.DIRECT, Placement.direct(1)));
  }

  @Test
  void shouldNameTheSkuThatIsUnknown() {
    // given
    unit.ledger.skus.remove(OTHER);

    // when
    Future<PlacedOrder> placed = place("alice");

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.UNKNOWN_SKU);
    assertThat(refused(placed).skuId()).isEqualTo(OTHER);
    assertThat(calls).isEmpty();
  }

  @Test
  void shouldNameTheSkuFromWhichTheBuyerIsBarred() {
    // given
    Refused barred = new Refused(Refusal.TICKET_REQUIRED, "Expected a ticket.", 0);
    OrderWish wish =
        new OrderWish("alice", List.of(new Line(LEAD, 1), new Line(OTHER, 1)), null, null, false);

    // when
    Future<PlacedOrder> placed = place(wish, sku -> sku.skuId() == OTHER ? barred : null);

    // then
    assertThat(refused(placed)).isEqualTo(barred.ofLine(OTHER));
    assertThat(calls).isEmpty();
    assertThat(counted()).isEqualTo(Map.of("ticket-required", 1L));
  }

  /** The refusals that were counted to the sale. */
  private Map<String, Long> counted() {
    InMemoryCounts counts = new InMemoryCounts();
    new TallyWriter(counts, unit.tallies, "i-1", () -> Instant.ofEpochSecond(60)).close();
    return counts.intervals(SALE, 0, "").result().stream()
        .map(interval -> interval.counts().refused())
        .findFirst()
        .orElse(Map.of());
  }

  // ---- whether they can be asked for now

  @Test
  void shouldReadAllSkusAgainWhenTheirBucketsAreNotInOnePartition() {
    // given
    sell(SALE, 1, OTHER, 1, PARTITION + 1);
    place("alice");
    sell(LEAD, 1);
    sell(OTHER, 1);
    unit.time.advanceMs(SECOND_MS);
    unit.ledger.skuReads.clear();

    // when
    Future<PlacedOrder> apart = place("alice");

    // then
    assertThat(refusal(apart)).isEqualTo(Refusal.BUSY);
    assertThat(refused(apart).retryAfterS()).isEqualTo(2);
    assertThat(unit.ledger.skuReads).containsExactlyInAnyOrder(LEAD, OTHER);
    assertThat(calls).isEmpty();
  }

  @Test
  void shouldAskWhereTheBucketsAreOnceTheyAreKnownToBeInOnePartition() {
    // given
    sell(SALE, 1, LEAD, 1, PARTITION + 1);
    place("alice");
    sell(SALE, 1, OTHER, 1, PARTITION + 1);
    unit.time.advanceMs(SECOND_MS);
    place("alice");

    // when
    place("alice");
    last().grantAll();

    // then
    assertThat(calls).hasSize(1);
    assertThat(unit.log.last().partition()).isEqualTo(PARTITION + 1);
  }

  @Test
  void shouldBeBusyWithoutAskingRedisWhenTheOrderCouldNotBeRecorded() {
    // given
    unit.log.away = true;

    // when
    Future<PlacedOrder> placed = place("alice");

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
    assertThat(calls).isEmpty();
  }

  @Test
  void shouldGiveItsPlaceBackOnceWhenALineIsRefused() {
    // given
    for (int i = 1; i < Desk.UNDER_WAY_MAX; i++) {
      unit.place("buyer" + i);
    }
    place("alice");
    last().refuseAll(Refusal.LIMIT_REACHED, 1);

    // when
    Future<PlacedOrder> next = unit.place("next");
    Future<PlacedOrder> over = unit.place("over");

    // then
    assertThat(next.isComplete()).isFalse();
    assertThat(refusal(over)).isEqualTo(Refusal.BUSY);
    assertThat(
            unit.registry
                .get("sluice_refusals")
                .tag("refusal", Refusal.LIMIT_REACHED.problem())
                .counter()
                .count())
        .isEqualTo(1);
  }
}
