package io.sluice.async;

import io.vertx.core.Future;
import java.time.Duration;

/** Delays, as a port: classes wait without depending on Vert.x, and tests control the time. */
public interface Timers {

  /** Completes after this positive delay. */
  Future<Void> after(Duration delay);
}
