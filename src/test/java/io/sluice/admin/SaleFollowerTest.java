package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sales;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What was begun is ended, whoever began it. */
class SaleFollowerTest {
  private final FakeSales sales = new FakeSales();
  private final StandingEnds standing = new StandingEnds(sales);
  private final SaleFollower unit = new SaleFollower(sales, standing, Duration.ZERO);

  @Test
  void shouldEndWhatWasBegunInEachSale() {
    // given
    sales.behind = Future.succeededFuture(List.of("a", "b"));
    sales.takeOvers.addFirst(Future.succeededFuture(true));

    // when
    unit.tick();

    // then
    assertThat(sales.asked).containsExactly("behind", "takeOver a", "takeOver a", "takeOver b");
  }

  @Test
  void shouldGoOnLaterWhenTheLedgerIsAway() {
    // given
    sales.behind = Future.failedFuture("the database is gone");
    unit.tick();
    sales.behind = Future.succeededFuture(List.of("a"));

    // when
    unit.tick();

    // then
    assertThat(sales.asked).containsExactly("behind", "behind", "takeOver a");
  }

  @Test
  void shouldGoOnWithTheOthersWhenOneSaleCannotBeChanged() {
    // given
    sales.behind = Future.succeededFuture(List.of("a", "b"));
    sales.takeOvers.addFirst(Future.failedFuture("a SKU of it is locked"));

    // when
    unit.tick();

    // then
    assertThat(sales.asked).containsExactly("behind", "takeOver a", "takeOver b");
  }

  @Test
  void shouldBeginTheEndOfSalesThatWereClosedLongAgo() {
    // given
    sales.page =
        List.of(closingAt("long-ago", 1_000), closingAt("lately", 9_000), closingAt("never", 0));

    // when
    new SaleFollower(sales, standing, Duration.ofSeconds(2)).tick();

    // then
    assertThat(sales.asked).containsExactly("behind", "sales  200", "endClosed long-ago 2000");
  }

  @Test
  void shouldLookThroughAllSalesPageByPage() {
    // given
    SaleFollower unit = new SaleFollower(sales, standing, Duration.ofSeconds(2));
    sales.page =
        IntStream.range(0, SaleFollower.CLOSED_MAX).mapToObj(n -> closingAt("s" + n, 0)).toList();
    unit.tick();
    sales.page = List.of();
    unit.tick();

    // when
    unit.tick();

    // then
    assertThat(sales.asked)
        .containsExactly(
            "behind", "sales  200", "behind", "sales s199 200", "behind", "sales  200");
  }

  @Test
  void shouldFollowAllSalesHoweverManyStand() {
    // given
    List<String> all =
        IntStream.rangeClosed(0, SaleFollower.SALES_MAX).mapToObj("s%04d"::formatted).toList();
    sales.behind = Future.succeededFuture(all);

    // when
    unit.tick();

    // then
    assertThat(sales.asked)
        .hasSize(all.size() + 2)
        .contains("behind s0199")
        .endsWith("takeOver s0200");
  }

  private static Seen closingAt(String saleId, long closesAtMs) {
    SaleTerms terms = new SaleTerms(0, closesAtMs, 300, false);
    return new Seen(Sales.of(saleId, "n", terms, SkuState.OPEN), 10_000);
  }

  @Test
  void shouldTellWhereAnEndStands() {
    // given
    sales.behind = Future.succeededFuture(List.of("a"));
    sales.takeOvers.addFirst(Future.failedFuture("a SKU of it is locked"));
    sales.seen = Optional.of(ending("a"));
    sales.totals = List.of(new StateTotals(SkuState.FROZEN, 1, 0, 10, 0, 0));

    // when
    for (long tick = 0; tick <= SaleFollower.LOOK_TICKS; tick++) {
      unit.tick();
    }

    // then
    assertThat(standing.unfinished()).isEqualTo(1);
    assertThat(standing.standsS()).isEqualTo(30);
  }

  private static Seen ending(String saleId) {
    SaleTerms terms = new SaleTerms(0, 0, 300, false);
    return new Seen(Sales.of(saleId, "n", terms, SkuState.ENDING), 10_000);
  }

  @Test
  void shouldNotBeginAgainWhileItIsAtIt() {
    // given
    Promise<List<String>> slow = Promise.promise();
    sales.behind = slow.future();
    unit.tick();

    // when
    unit.tick();

    // then
    assertThat(sales.asked).containsExactly("behind");
  }
}
