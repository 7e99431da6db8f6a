package io.sluice.owner;

import io.sluice.ledger.Ledger;
import io.sluice.orderlog.EventPublisher;
import io.sluice.orderlog.OrderLog;
import io.sluice.reservation.Timers;
import io.sluice.stock.StockStore;

/** What all duties of one owner work with. */
record Duties(
    Ledger ledger,
    OwnedLedger owned,
    Ownership ownership,
    Turns turns,
    Passes passes,
    StockStore stock,
    OrderLog orderLog,
    EventPublisher events,
    Timers timers) {}
