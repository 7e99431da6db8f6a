package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.Settings;
import io.sluice.model.Limits;

/**
 * The times in an order's life; milliseconds unless the name says seconds.
 *
 * @param directPerS orders per second that one instance may book past the order log; 0 = none
 */
public record ReservationConfig(
    int paymentWindowS,
    int grantDeadlineMs,
    int sweepAfterMs,
    int timeoutScanMs,
    int commandWaitMs,
    int directPerS) {
  static final IntKey PAYMENT_WINDOW_S =
      new IntKey(
          "reservation.payment_window_s", 300, 0, Math.toIntExact(Limits.PAYMENT_WINDOW_S_MAX));
  static final IntKey GRANT_DEADLINE_MS =
      new IntKey("reservation.grant_deadline_ms", 2_000, 1, 120_000);
  static final IntKey SWEEP_AFTER_MS = new IntKey("reservation.sweep_after_ms", 4_000, 1, 600_000);
  static final IntKey TIMEOUT_SCAN_MS =
      new IntKey("reservation.timeout_scan_ms", 500, 10, 3_600_000);
  static final IntKey COMMAND_WAIT_MS = new IntKey("reservation.command_wait_ms", 2_000, 0, 30_000);
  static final IntKey DIRECT_PER_S = new IntKey("reservation.direct_per_s", 200, 0, 1_000_000);

  /** Checks each value, and conditions between them. */
  public ReservationConfig {
    PAYMENT_WINDOW_S.check(paymentWindowS);
    GRANT_DEADLINE_MS.check(grantDeadlineMs);
    // The sweep must not book a grant that may still be acknowledged through the log.
    SWEEP_AFTER_MS.checkMore(sweepAfterMs, GRANT_DEADLINE_MS, grantDeadlineMs);
    TIMEOUT_SCAN_MS.check(timeoutScanMs);
    COMMAND_WAIT_MS.check(commandWaitMs);
    DIRECT_PER_S.check(directPerS);
  }

  static ReservationConfig read(Settings settings) {
    return new ReservationConfig(
        settings.number(PAYMENT_WINDOW_S),
        settings.number(GRANT_DEADLINE_MS),
        settings.number(SWEEP_AFTER_MS),
        settings.number(TIMEOUT_SCAN_MS),
        settings.number(COMMAND_WAIT_MS),
        settings.number(DIRECT_PER_S));
  }
}
