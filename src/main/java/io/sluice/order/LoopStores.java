package io.sluice.order;

import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SkuLedger;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.Stock;

/** The stores as one event loop uses them. */
public record LoopStores(
    Stock stock, OrderLog log, Ledger ledger, SkuLedger skus, DirectLedger direct) {}
