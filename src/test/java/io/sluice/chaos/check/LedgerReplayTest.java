package io.sluice.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.check.BookedOrder.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LedgerReplayTest {
  @Test
  void shouldFindTheMomentWhenMoreWasHeldThanThereIs() {
    // given
    List<Txn> rows = rows("r1 RESTOCK", "a HOLD", "b HOLD", "a CANCEL");

    // when
    List<String> breaches = LedgerReplay.breaches(rows, Map.of(), sku -> 0);

    // then
    assertThat(breaches).hasSize(1).first().asString().contains("held 2 + sold 0 of 1");
  }

  @Test
  void shouldFindTheMomentWhenABuyerHadMoreThanTheLimit() {
    // given
    List<Txn> rows = rows("r1 RESTOCK", "r2 RESTOCK", "a HOLD", "b HOLD", "a CONFIRM", "b CANCEL");
    Map<String, BookedOrder> orders =
        Stream.of("a", "b")
            .map(LedgerReplayTest::orderOfAlice)
            .collect(Collectors.toMap(BookedOrder::token, Function.identity()));

    // when
    List<String> breaches = LedgerReplay.breaches(rows, orders, sku -> 1);

    // then
    assertThat(breaches).hasSize(1).first().asString().contains("alice has 2 units");
  }

  /** As when the log is booked again: an end and the next order of the buyer in one transaction. */
  @Test
  void shouldCompareABuyerWithTheLimitBetweenTransactions() {
    // given
    List<Txn> rows = new ArrayList<>(rows("r1 RESTOCK", "r2 RESTOCK", "a HOLD"));
    rows.add(row(9, new String[] {"b", "HOLD"}));
    rows.add(row(9, new String[] {"a", "CANCEL"}));
    Map<String, BookedOrder> orders = Map.of("a", orderOfAlice("a"), "b", orderOfAlice("b"));

    // when
    List<String> breaches = LedgerReplay.breaches(rows, orders, sku -> 1);

    // then
    assertThat(breaches).isEmpty();
  }

  @Test
  void shouldFindNothingWhenEachUnitWasSoldOnce() {
    // given
    List<Txn> rows = rows("r1 RESTOCK", "a HOLD", "a CONFIRM", "a REFUND", "b HOLD", "b CANCEL");

    // when
    List<String> breaches = LedgerReplay.breaches(rows, Map.of(), sku -> 1);

    // then
    assertThat(breaches).isEmpty();
  }

  private static List<Txn> rows(String... tokensAndActions) {
    return IntStream.range(0, tokensAndActions.length)
        .mapToObj(i -> row(i, tokensAndActions[i].split(" ", 2)))
        .toList();
  }

  /** Each in a transaction of its own. */
  private static Txn row(int write, String[] tokenAndAction) {
    return new Txn(16L * write, tokenAndAction[0], 7, 0, 1, tokenAndAction[1], write);
  }

  private static BookedOrder orderOfAlice(String token) {
    return new BookedOrder(
        token, 7, 0, "alice", 1, 1, 1, "CONFIRMED", "", 2, 0, 0, 0, List.of(), "", 0);
  }
}
