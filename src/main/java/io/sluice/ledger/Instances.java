package io.sluice.ledger;

import io.vertx.core.Future;
import java.time.Duration;

/**
 * The instances on one ledger, and those of their settings that the others must heed: who waits
 * until no grant can become a yes any more waits for the longest deadline that anybody grants by.
 */
public interface Instances {
  /**
   * So long an instance counts after it was last seen. One that is cut off from the ledger goes on
   * granting through Redis and the order log, and nobody can tell it from one that is dead.
   */
  Duration COUNTED_FOR = Duration.ofHours(24);

  /** What others must heed. */
  record InstanceSettings(long grantDeadlineMs, long sweepAfterMs) {}

  /**
   * Says that this instance runs; a write. Its row is there from the first call that succeeds on,
   * and no grant may be given before.
   *
   * @return whether the row was not there
   */
  Future<Boolean> keep(String instanceId, InstanceSettings settings);

  /** Says that this instance has ended, and gives no yes any more. */
  Future<Void> remove(String instanceId);

  /** The longest of each setting among the instances that may still run; 0 where there is none. */
  Future<InstanceSettings> longest();
}
