package io.sluice.contract;

/**
 * The complete contract of {@code StockStore}. A test class per implementation extends it and makes
 * the store.
 */
public abstract class StockStoreContract
    implements ReserveContract,
        ReferenceContract,
        SaleContract,
        RangeContract,
        AwayContract,
        CartContract,
        CartRefusalContract,
        ReserveStatesContract,
        SoldOutForContract,
        EmptyBucketContract,
        TokensContract,
        HistoryContract,
        StockReadContract,
        BookAndReleaseContract,
        PartReleaseContract,
        RestockContract,
        TermContract,
        RebuildContract,
        LoadContract,
        UnloadContract,
        VanishedKeyContract {}
