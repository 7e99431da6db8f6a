package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.grant.ManualLoop;
import io.sluice.ledger.History.FoundPage;
import io.sluice.ledger.InMemoryCounts;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.order.OwnOrders.OwnPage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BuyerOrdersTest {
  private static final long SKU = 1001;

  private final ManualLoop time = new ManualLoop();
  private final Answers history = new Answers();
  private final BuyerOrders unit = new BuyerOrders(history, time.loop());

  /** Answers each look-up with the same page. */
  private static final class Answers extends InMemoryCounts {
    final List<String> asked = new ArrayList<>();
    Future<FoundPage> page = Future.succeededFuture(new FoundPage(List.of(), Optional.empty()));

    @Override
    public Future<FoundPage> lookUp(By by, String value, FoundPlace behind, int limit) {
      String place = behind.equals(FoundPlace.NEWEST) ? "newest" : behind.text();
      asked.add("%s %s %s %d".formatted(by, value, place, limit));
      return page;
    }

    void found(Order... orders) {
      page = Future.succeededFuture(new FoundPage(List.of(orders), Optional.empty()));
    }
  }

  private static Order order(int number, OrderStatus status) {
    String id = "AAAAAAAAAAAAAAAAAAA" + number + "AA";
    OrderToken token = OrderToken.parse(SKU + ".0." + id).orElseThrow();
    return Order.reserved(Grants.of(token, "alice", 1, number, 1, number, 300_000))
        .changed(status, null, 400_000);
  }

  private static final Order PAID = order(4, OrderStatus.CONFIRMED);
  private static final Order OPEN = order(3, OrderStatus.PENDING);
  private static final Order OVER = order(2, OrderStatus.CANCELED);

  private OwnPage page(String after, int limit) {
    return unit.page("alice", after, limit).result().orElseThrow();
  }

  @Test
  void shouldShowTheOpenOnesFirst() {
    // given
    history.found(PAID, OPEN, OVER);

    // when
    OwnPage page = page(null, 100);

    // then
    assertThat(page).isEqualTo(new OwnPage(List.of(OPEN, PAID, OVER), Optional.empty()));
    assertThat(history.asked).containsExactly("USER alice newest 100");
  }

  @Test
  void shouldGoOnBehindTheLastOneThatIsOver() {
    // given
    history.found(PAID, OPEN, OVER);
    OwnPage first = page(null, 1);
    history.found(OPEN, OVER);

    // when
    OwnPage second = page(first.next().orElseThrow(), 1);

    // then
    assertThat(first.orders()).containsExactly(OPEN, PAID);
    assertThat(first.next()).contains("4." + PAID.token());
    assertThat(second).isEqualTo(new OwnPage(List.of(OVER), Optional.empty()));
    assertThat(history.asked).last().isEqualTo("USER alice 4." + PAID.token() + " 1");
  }

  @Test
  void shouldKnowNoPageBehindAnotherText() {
    assertThat(unit.page("alice", "7", 100).result()).isEmpty();
    assertThat(history.asked).isEmpty();
  }

  @Test
  void shouldNameTheOpenOnesOfTheSku() {
    // given
    history.found(PAID, OPEN, OVER);

    // when
    List<OrderToken> named = unit.open("alice", SKU).result();
    List<OrderToken> ofAnother = unit.open("alice", SKU + 1).result();

    // then
    assertThat(named).containsExactly(OPEN.token());
    assertThat(ofAnother).isEmpty();
  }

  @Test
  void shouldNameNoneWhenTheLedgerIsSlowOrAway() {
    // given
    history.page = Promise.<FoundPage>promise().future();
    Future<List<OrderToken>> slow = unit.open("alice", SKU);

    // when
    time.advanceMs(300);

    // then
    assertThat(slow.result()).isEmpty();
  }

  @Test
  void shouldLookForFewWhoAreRefused() {
    // given
    history.found(OPEN);
    for (int i = 0; i < 50; i++) {
      unit.open("alice", SKU);
    }

    // when
    List<OrderToken> named = unit.open("alice", SKU).result();

    // then
    assertThat(named).isEmpty();
    assertThat(history.asked).hasSize(50);
  }

  @Test
  void shouldRefuseWhenTooManyWait() {
    // given
    history.page = Promise.<FoundPage>promise().future();
    for (int i = 0; i < 64; i++) {
      unit.page("buyer" + i, null, 100);
    }

    // when
    Future<Optional<OwnPage>> page = unit.page("alice", null, 100);

    // then
    assertThat(QueueFullException.isWhy(page.cause())).isTrue();
    assertThat(history.asked).hasSize(1);
  }
}
