package io.sluice.async;

import io.vertx.core.Future;
import java.time.Duration;

/**
 * Delays, as a port: plain classes wait without knowing Vert.x, and tests decide when time passes.
 */
public interface Timers {

  /** Completes after this long; {@code delay} is positive. */
  Future<Void> after(Duration delay);
}
