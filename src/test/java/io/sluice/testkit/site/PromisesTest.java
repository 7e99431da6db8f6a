package io.sluice.testkit.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.mysql.LedgerReader.OrderRow;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The check of the promises finds every kind of breach. */
class PromisesTest {
  private static final long SKU = 1;
  private static final Yeses.OrderRequest ALICES = new Yeses.OrderRequest(SKU, "alice", "k1");
  private static final String LEAD = "1.0.AAAAAAAAAAAAAAAAAAAAAA";
  private static final String FOLLOWER = "2.0.AAAAAAAAAAAAAAAAAAAAAA";
  private static final OrderRow SOLD = order("1.0.a", "alice", "CONFIRMED", 1, 1, 0, 0);
  private static final OrderRow HELD = order("1.0.b", "bob", "PENDING", 1, 0, 0, 0);

  @Test
  void shouldFindNothingWhenAllBooksAgree() {
    // given
    Books sound = books(10, 1, 1).build();

    // when
    List<String> breaches = Promises.breaches(sound);

    // then
    assertThat(breaches).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unsound")
  void shouldFindTheBreach(String breach, UnaryOperator<Draft> defect) {
    // given
    Books unsound = defect.apply(books(10, 1, 1)).build();

    // when
    List<String> breaches = Promises.breaches(unsound);

    // then
    assertThat(breaches).anyMatch(found -> found.startsWith(breach));
  }

  static Stream<Arguments> unsound() {
    return Stream.of(
        defect("P1: oversold by inventory_view", draft -> books(1, 1, 1)),
        defect("P1: oversold by the counters", draft -> books(10, 11, -1)),
        defect("P2: OrderRequest[skuId=1, userId=alice", draft -> draft.without(SOLD)),
        defect("P2: ", draft -> draft.with(order("1.0.a", "alice", "REJECTED", 0, 0, 0, 0))),
        defect("P2: ", draft -> draft.with(order("1.0.a", "bob", "CONFIRMED", 1, 1, 0, 0))),
        defect("P3: Redis would grant 7 units", draft -> draft.redis(7)),
        defect("P10: sales have ended, but Redis has", draft -> draft.left()),
        defect("P4: ", draft -> draft.yes("1.0.a", "1.0.b")),
        defect("P5: ", draft -> draft.with(order("1.0.a", "alice", "CONFIRMED", 2, 1, 0, 0))),
        defect("P5: ", draft -> draft.with(order("1.0.a", "alice", "CONFIRMED", 1, 1, 1, 0))),
        defect("P5: ", draft -> draft.with(order("1.0.a", "alice", "CANCELED", 1, 1, 1, 0))),
        defect("P5: ", draft -> draft.with(order("1.0.a", "alice", "REFUNDED", 1, 0, 0, 1))),
        defect("P6: inventory_view and the counters", draft -> draft.view(10, 2, 1)),
        defect("P6: the recomputed counters", draft -> draft.recomputed(10, 2, 0)),
        defect("P6: ledger rows of no order", draft -> draft.stray("1.0.c")),
        defect("P6: inventory has 9", draft -> draft.total(9)),
        defect("P8: the lines of " + LEAD, draft -> cart(draft)),
        defect("P8: ", draft -> cart(draft).with(order(FOLLOWER, "bob", "CANCELED", 1, 0, 1, 0))));
  }

  /** A lead whose follower has no order. */
  private static Draft cart(Draft draft) {
    return draft
        .with(order(LEAD, "bob", "CONFIRMED", 1, 1, 0, 0))
        .cart(LEAD, "1.0.1.1.1.0,2.0.1.1.1.0");
  }

  private static Arguments defect(String breach, UnaryOperator<Draft> defect) {
    return Arguments.of(breach, defect);
  }

  private static OrderRow order(
      String token,
      String user,
      String status,
      long holds,
      long confirms,
      long cancels,
      long refunds) {
    return new OrderRow(token, SKU, 0, user, 1, status, null, holds, confirms, cancels, refunds, 0);
  }

  /** Books of one SKU with one bucket, with one order held and one sold. */
  private static Draft books(long total, long held, long sold) {
    return new Draft(total, held, sold);
  }

  /** Books under construction. */
  private static final class Draft {
    private final Stock counters;
    private final Map<String, OrderRow> orders = new HashMap<>();
    private Stock view;
    private Stock recomputed;
    private long total;
    private long redis;
    private List<Stock> left = List.of();
    private List<String> strays = List.of();
    private Set<String> yes = Set.of("1.0.a");
    private Map<String, String> carts = Map.of();

    Draft(long total, long held, long sold) {
      this.counters = new Stock(SKU, 0, total, held, sold);
      this.view = new Stock(SKU, -1, total, held, sold);
      this.recomputed = counters;
      this.total = total;
      this.redis = counters.available();
      with(SOLD).with(HELD);
    }

    Draft with(OrderRow order) {
      orders.put(order.token(), order);
      return this;
    }

    Draft without(OrderRow order) {
      orders.remove(order.token());
      return this;
    }

    Draft left() {
      left = List.of(counters);
      return this;
    }

    Draft redis(long available) {
      redis = available;
      return this;
    }

    Draft cart(String token, String lines) {
      carts = Map.of(token, lines);
      return this;
    }

    Draft yes(String... tokens) {
      yes = Set.of(tokens);
      return this;
    }

    Draft view(long units, long held, long sold) {
      view = new Stock(SKU, -1, units, held, sold);
      return this;
    }

    Draft recomputed(long units, long held, long sold) {
      recomputed = new Stock(SKU, 0, units, held, sold);
      return this;
    }

    Draft stray(String token) {
      strays = List.of(token);
      return this;
    }

    Draft total(long units) {
      total = units;
      return this;
    }

    Books build() {
      var bySku = new Stock(SKU, -1, counters.total(), counters.held(), counters.sold());
      return new Books(
          List.of(view),
          List.of(bySku),
          List.of(counters),
          List.of(recomputed),
          Map.of(SKU, total),
          orders,
          strays,
          Map.of(counters, redis),
          left,
          Map.of(ALICES, yes),
          carts);
    }
  }
}
