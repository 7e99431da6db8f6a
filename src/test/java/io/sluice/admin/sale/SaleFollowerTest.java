package io.sluice.admin.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.FakeSales;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was begun is ended, whoever began it. */
class SaleFollowerTest {
  private final FakeSales sales = new FakeSales();
  private final SaleFollower unit = new SaleFollower(sales, Duration.ZERO);

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
