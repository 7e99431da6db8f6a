package io.sluice.http;

/** All calls of the public port, with what stands behind them on one event loop. */
public record Routes(OrderRoutes orders, SkuRoutes skus) {}
