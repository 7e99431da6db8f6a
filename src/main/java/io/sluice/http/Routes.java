package io.sluice.http;

/** All routes of the public port on one event loop. */
public record Routes(OrderRoutes orders, SkuRoutes skus) {}
