package io.sluice.grant;

import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Placement;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.Skus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectPlacingTest {
  private final Desk unit = new Desk();
  private final Calls calls = new Calls();

  /** The calls of the ledger, each with an outcome that the test decides. */
  static final class Calls {
    private final List<List<Wish>> wishes = new ArrayList<>();
    private final List<Promise<List<Outcome>>> outcomes = new ArrayList<>();
    private final List<BucketId> gathered = new ArrayList<>();

    /** Calls that wait for a connection, while there is none. */
    private final List<Supplier<List<Wish>>> unasked = new ArrayList<>();

    private boolean connected = true;

    Future<List<Outcome>> place(Map<Long, Long> sales, Supplier<List<Wish>> wanted) {
      assertThat(sales).containsExactly(Map.entry(Desk.SKU, 0L));
      wishes.add(List.of());
      outcomes.add(Promise.promise());
      unasked.add(wanted);
      if (connected) {
        ask(outcomes.size() - 1);
      }
      return outcomes.get(outcomes.size() - 1).future();
    }

    /** The call has got its connection, or repeats its transaction. */
    void ask(int call) {
      wishes.set(call, unasked.get(call).get());
    }

    Future<Boolean> gather(BucketId bucket, int qty) {
      assertThat(qty).isEqualTo(1);
      gathered.add(bucket);
      return Future.succeededFuture(true);
    }

    void booked(int call) {
      all(call, Calls::booked);
    }

    void all(int call, Outcome outcome) {
      all(call, wish -> outcome);
    }

    private void all(int call, Function<Wish, Outcome> outcome) {
      outcomes.get(call).complete(wishes.get(call).stream().map(outcome).toList());
    }

    /** Others than their buckets have the units. */
    void elsewhere(int call) {
      all(call, wish -> new Outcome.Elsewhere(0));
    }

    private static Outcome booked(Wish wish) {
      Grant grant =
          Grants.of(wish.token(), wish.userId(), wish.lines().get(0).qty(), 1, 1, 10_000, 310_000);
      return new Outcome.Booked(
          Order.reserved(grant).changed(OrderStatus.PENDING, null, 10_000), true);
    }
  }

  @BeforeEach
  void sellDirectly() {
    unit.ledger.direct = calls;
    unit.ledger.skus.put(Desk.SKU, Skus.placed(unit.sku(), Sku.Mode.DIRECT, Placement.direct(1)));
  }

  @Test
  void shouldShareATransactionWhenRequestsArriveWhileOneIsUnderWay() {
    // given
    Future<PlacedOrder> first = unit.place("ann");
    List<Future<PlacedOrder>> others =
        IntStream.range(0, 5).mapToObj(i -> unit.place("user" + i)).toList();

    // when
    calls.booked(0);
    calls.booked(1);

    // then
    assertThat(calls.wishes).extracting(List::size).containsExactly(1, 5);
    assertThat(answer(first)).isInstanceOf(Accepted.class);
    assertThat(others).allMatch(other -> answer(other) instanceof Accepted);
    assertThat(unit.stock.reserves).isEmpty();
  }

  @Test
  void shouldShareTheTransactionWhenRequestsArriveBeforeItHasAConnection() {
    // given
    calls.connected = false;
    Future<PlacedOrder> first = unit.place("ann");
    List<Future<PlacedOrder>> others =
        IntStream.range(0, 5).mapToObj(i -> unit.place("user" + i)).toList();

    // when
    calls.ask(0);
    Future<PlacedOrder> late = unit.place("late");
    calls.booked(0);

    // then
    assertThat(calls.wishes.get(0)).extracting(Wish::userId).hasSize(6).startsWith("ann");
    assertThat(answer(first)).isInstanceOf(Accepted.class);
    assertThat(others).allMatch(other -> answer(other) instanceof Accepted);
    assertThat(late.isComplete()).isFalse();
    assertThat(calls.wishes).hasSize(2);
  }

  @Test
  void shouldAnswerAllWhoAreInItWhenTheTransactionIsRepeatedWithMore() {
    // given
    Future<PlacedOrder> first = unit.place("ann");
    Future<PlacedOrder> second = unit.place("bob");

    // when
    calls.ask(0);
    calls.booked(0);

    // then
    assertThat(calls.wishes.get(0)).extracting(Wish::userId).containsExactly("ann", "bob");
    assertThat(answer(first)).isInstanceOf(Accepted.class);
    assertThat(answer(second)).isInstanceOf(Accepted.class);
    assertThat(calls.wishes).hasSize(1);
  }

  @Test
  void shouldTakeInNobodyWhenACallIsAskedOnceItHasFailed() {
    // given
    calls.connected = false;
    unit.place("ann");
    calls.outcomes.get(0).fail("planted");
    unit.place("bob");
    Future<PlacedOrder> behind = unit.place("cid");

    // when
    calls.ask(0);
    calls.ask(1);
    calls.booked(1);

    // then
    assertThat(calls.wishes.get(0)).isEmpty();
    assertThat(answer(behind)).isInstanceOf(Accepted.class);
  }

  @Test
  void shouldAnswerNotNowWhenTheOutcomeIsUnknownAndLetTheOthersGo() {
    // given
    Future<PlacedOrder> sent = unit.place("ann");
    Future<PlacedOrder> behind = unit.place("bob");

    // when
    calls.outcomes.get(0).fail("planted");

    // then
    assertThat(refusal(sent)).isEqualTo(Refusal.UNAVAILABLE);
    assertThat(refusal(behind)).isEqualTo(Refusal.UNAVAILABLE);
    assertThat(calls.wishes).hasSize(1);
  }

  @Test
  void shouldPlaceNothingForThoseWhoWereAnsweredWhileTheyWaited() {
    // given
    Future<PlacedOrder> sent = unit.place("ann");
    Future<PlacedOrder> given = unit.place("bob");
    unit.time.advanceMs(2_000);

    // when
    calls.booked(0);
    Future<PlacedOrder> next = unit.place("cid");
    calls.booked(1);

    // then
    assertThat(refusal(sent)).isEqualTo(Refusal.UNAVAILABLE);
    assertThat(refusal(given)).isEqualTo(Refusal.UNAVAILABLE);
    assertThat(answer(next)).isInstanceOf(Accepted.class);
    assertThat(calls.wishes.get(1)).extracting(Wish::userId).containsExactly("cid");
  }

  @Test
  void shouldTakeNoMoreThanItMayWhileTheLedgerIsSilent() {
    // given
    for (int i = 0; i < Desk.UNDER_WAY_MAX; i++) {
      unit.place("user" + i);
    }
    unit.time.advanceMs(2_000);

    // when
    Future<PlacedOrder> over = unit.place("over");
    calls.booked(0);
    Future<PlacedOrder> after = unit.place("after");
    calls.booked(1);

    // then
    assertThat(refusal(over)).isEqualTo(Refusal.BUSY);
    assertThat(answer(after)).isInstanceOf(Accepted.class);
  }

  @Test
  void shouldGatherUnitsOnceAndThenDecideAgain() {
    // given
    Future<PlacedOrder> placed = unit.place("ann");

    // when
    calls.elsewhere(0);
    calls.booked(1);

    // then
    assertThat(calls.gathered).containsExactly(new BucketId(Desk.SKU, 0));
    assertThat(answer(placed)).isInstanceOf(Accepted.class);
  }

  @Test
  void shouldBeBusyWhenTheUnitsThatWereGatheredAreGone() {
    // given
    Future<PlacedOrder> placed = unit.place("ann");

    // when
    calls.elsewhere(0);
    calls.elsewhere(1);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
  }

  @Test
  void shouldReadTheSkuAgainWhenItIsInAnotherSale() {
    // given
    Future<PlacedOrder> placed = unit.place("ann");
    unit.time.advanceMs(1_100);
    int reads = unit.ledger.skuReads.size() + unit.ledger.skuQueries.size();

    // when
    calls.all(0, new Outcome.OtherSale(Desk.SKU));

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
    assertThat(unit.ledger.skuReads.size() + unit.ledger.skuQueries.size()).isGreaterThan(reads);
  }
}
