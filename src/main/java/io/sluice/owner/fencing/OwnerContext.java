package io.sluice.owner.fencing;

import io.sluice.async.ExecutionSequencer;
import io.sluice.async.Timers;
import io.sluice.ledger.Ledger;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.StockStore;

/** What all duties of one owner work with. */
public record OwnerContext(
    Ledger ledger,
    OwnedLedger owned,
    Ownership ownership,
    ExecutionSequencer sequencer,
    BackgroundTasks tasks,
    StockStore stock,
    OrderLog orderLog,
    EventPublisher events,
    Timers timers) {}
