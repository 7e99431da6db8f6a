package io.sluice.contract;

/**
 * Everything that a {@code StockStore} promises. A test class per implementation extends it and
 * makes the store.
 */
public abstract class StockStoreContract
    implements ReserveContract,
        ReserveBatchContract,
        ReserveStatesContract,
        SoldOutForContract,
        TokensContract,
        HistoryContract,
        StockReadContract,
        BookAndReleaseContract,
        RestockContract,
        TermContract,
        RebuildContract,
        LoadContract {}
