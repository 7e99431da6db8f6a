package io.sluice.owner;

import io.sluice.async.ExecutionSequencer;
import io.sluice.async.LoopContext.Timers;
import io.sluice.ledger.Ledger;
import io.sluice.metrics.OwnerMeters.PartitionMeters;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.StockStore;
import io.sluice.tracing.TracedOrders;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** The parts that all duties of one owner share. */
public record OwnerContext(
    Ledger ledger,
    OwnedLedger owned,
    Ownership ownership,
    ExecutionSequencer sequencer,
    BackgroundTasks tasks,
    StockStore stock,
    OrderLog orderLog,
    EventPublisher events,
    Timers timers,
    PartitionMeters meters,
    TracedOrders traced) {

  /** Runs this between two transactions of the owner, unless another one has the fence. */
  public <T> Future<T> inTurn(String name, Supplier<Future<T>> work) {
    return sequencer.take(name, () -> ownership.ifHeld(work));
  }

  /** The context of a new owner, which does nothing yet. */
  public static OwnerContext of(
      Ownership ownership,
      Ledger ledger,
      StockStore stock,
      OrderLog orderLog,
      EventPublisher events,
      Timers timers,
      PartitionMeters meters,
      Traces traces) {
    TracedOrders traced = new TracedOrders(traces);
    ExecutionSequencer sequencer = new ExecutionSequencer(ownership::about, ownership::lose);
    return new OwnerContext(
        ledger,
        new OwnedLedger(ledger, ownership, sequencer, orderLog, traced, new MissingGrants(stock)),
        ownership,
        sequencer,
        new BackgroundTasks(ownership::about, ownership::lose),
        stock,
        orderLog,
        events,
        timers,
        meters,
        traced);
  }
}
