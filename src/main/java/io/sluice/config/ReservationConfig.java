package io.sluice.config;

/** Times of an order's life; milliseconds unless the name says seconds. */
public record ReservationConfig(
    int paymentWindowS,
    int grantDeadlineMs,
    int sweepAfterMs,
    int timeoutScanMs,
    int commandWaitMs) {}
