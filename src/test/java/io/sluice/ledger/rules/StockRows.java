package io.sluice.ledger.rules;

import io.sluice.ledger.StockTxn;
import io.sluice.ledger.StockTxn.Action;
import io.sluice.ledger.rules.BatchChanges.OrderMove.Kind;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import java.util.List;
import java.util.stream.Stream;

/** The rows that the view {@code stock_txn} shows of the changes of a batch. */
public final class StockRows {
  private StockRows() {}

  /** The holds of new orders, then what moved their units, in command order. */
  public static List<StockTxn> of(BatchChanges changes) {
    Stream<StockTxn> holds =
        changes.inserted().stream()
            .filter(order -> order.status() != OrderStatus.REJECTED)
            .map(order -> row(order, Action.HOLD, order.qty()));
    Stream<StockTxn> moves =
        changes.moves().stream()
            .filter(move -> move.kind() != Kind.LATE)
            .map(move -> row(move.after(), Action.valueOf(move.kind().name()), move.units()));
    return Stream.concat(holds, moves).toList();
  }

  private static StockTxn row(Order order, Action action, int units) {
    return new StockTxn(order.token().value(), order.token().bucketId(), units, action);
  }
}
