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
   * The state of a store as a whole.
   *
   * @param history as {@link #history} has it
   * @param writes differs after every change of any data; empty if the store does not count them
   */
  record Stamp(String history, String writes) {
    /** Differs from every other, also from itself. */
    public static final Stamp UNKNOWN = new Stamp("", "");

    /** Whether nothing was written between the two. */
    public boolean isUnchangedSince(Stamp before) {
      return !writes.isEmpty() && equals(before);
    }
  }

  /** The stamp of the store now; costs as much as {@link #history}. */
  Future<Stamp> stamp();

  /**
   * How long a former primary of these data may continue to grant after its successor answers; ZERO
   * if there can be no successor. Fails if Redis has replicas but is not configured for them.
   */
  Future<Duration> replicaLag();
}
