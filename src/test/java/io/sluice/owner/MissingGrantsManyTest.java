package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.stock.StockStore;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** More orders than one query of the ledger takes. */
class MissingGrantsManyTest {
  private static final BucketId BUCKET = new BucketId(1001, 0);
  private static final int MANY = 2 * Ledger.ORDERS_MAX + 1;

  private final List<Collection<OrderToken>> queries = new ArrayList<>();
  private final MissingGrants unit =
      new MissingGrants(Ports.partly(Ledger.class, this), Ports.partly(StockStore.class, this));

  Future<Map<OrderToken, Order>> orders(Collection<OrderToken> tokens) {
    assertThat(queries).hasSizeLessThan(MANY);
    queries.add(List.copyOf(tokens));
    return Future.succeededFuture(
        tokens.stream().collect(Collectors.toMap(token -> token, MissingGrantsManyTest::order)));
  }

  @Test
  void shouldAskForEachOrderOnceInQueriesOfABoundedSize() {
    // given
    OrderTokens tokens = new OrderTokens(new byte[16]);
    List<Command> commands =
        IntStream.range(0, MANY)
            .mapToObj(i -> tokens.tokenFor("buyer" + i, BUCKET, null))
            .<Command>map(Command.Confirm::new)
            .toList();

    // when
    List<Command> all = unit.addTo(commands).result();

    // then
    assertThat(all).isEqualTo(commands);
    assertThat(queries)
        .extracting(Collection::size)
        .containsExactly(Ledger.ORDERS_MAX, Ledger.ORDERS_MAX, 1);
    Set<OrderToken> asked = new HashSet<>();
    queries.forEach(asked::addAll);
    assertThat(asked).hasSize(MANY);
  }

  private static Order order(OrderToken token) {
    return Order.reserved(Grants.of(token, "a", 1, 1, 1, 1, 9))
        .changed(OrderStatus.PENDING, null, 2);
  }
}
