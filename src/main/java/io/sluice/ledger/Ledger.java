package io.sluice.ledger;

/**
 * All ports of the ledger. Code that serves buyers uses {@link OrderReads} and {@link
 * Bookings#book}; the rest is for owners. Each call is one transaction. Deadlocks and lock waits
 * are retried inside. Any other failure of the database fails the Future with {@link
 * LedgerUnavailableException} (outcome unknown, the same call may be repeated). A failure that the
 * data itself causes fails it with {@link UnprocessableException} (nothing was written).
 */
public interface Ledger
    extends Fences,
        Bookings,
        OrderReads,
        Outbox,
        Buckets,
        Reconciliation,
        OwnerRequests,
        LogProgress,
        Glances,
        Audits,
        Archives,
        StockMarks,
        Moves {}
