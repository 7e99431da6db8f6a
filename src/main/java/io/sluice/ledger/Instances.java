package io.sluice.ledger;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * The running instances of a ledger, with the settings that all of them must respect. A rebuild
 * waits for the longest grant deadline of any instance, and the sweep for the longest sweep delay.
 */
public interface Instances {
  /**
   * How long an instance counts as running after it was last seen. One that is cut off from the
   * ledger still grants through Redis and the order log, and cannot be distinguished from one that
   * is dead.
   */
  Duration COUNTED_FOR = Duration.ofHours(24);

  /** The settings of an instance that others must respect. */
  record InstanceSettings(long grantDeadlineMs, long sweepAfterMs) {}

  /**
   * Registers this instance, or renews its row; a write. The row exists from the first call that
   * succeeds; nothing may be granted before that.
   *
   * @return whether the row is new
   */
  Future<Boolean> keep(String instanceId, InstanceSettings settings);

  /** Removes this instance, which acknowledges no further grants. */
  Future<Void> remove(String instanceId);

  /** The ids of instances that were seen within {@link LedgerIdentity#ALIVE_FOR}; 20 at most. */
  Future<List<String>> running();

  /** The longest of each setting among the instances that may still run; 0 if there is none. */
  Future<InstanceSettings> longest();
}
