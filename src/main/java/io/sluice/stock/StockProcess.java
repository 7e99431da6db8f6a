package io.sluice.stock;

import io.vertx.core.Future;
import java.time.Duration;

/** The process that has the stock. A part of {@link StockStore}. */
public interface StockProcess {

  /** The clock of Redis, epoch milliseconds. */
  Future<Long> nowMs();

  /** Identifies the Redis process that answers now, and the history of its data. */
  Future<String> history();

  /**
   * How long a former primary of these data may continue to grant after its successor answers; ZERO
   * where there can be no successor. Fails where Redis has replicas but is not configured for them.
   */
  Future<Duration> replicaLag();
}
