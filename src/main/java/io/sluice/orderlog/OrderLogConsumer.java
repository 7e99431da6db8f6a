package io.sluice.orderlog;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;

/**
 * The one consumer of this instance: a member of the group, which fans records out to the owners of
 * partitions.
 */
public interface OrderLogConsumer {

  /**
   * Joins the group. Completes once the first poll has returned; it goes on polling until closed.
   */
  Future<Void> start(PartitionListener listener);

  /**
   * Reads an assigned partition from this offset on, and resumes it. Fails where the offset is out
   * of range.
   */
  Future<Void> startAt(int partition, long offset);

  /** Stops the delivery of these partitions' records; the consumer goes on polling. */
  void pause(Set<Integer> partitions);

  /** Undoes {@link #pause}. */
  void resume(Set<Integer> partitions);

  /**
   * Completes after the next poll: whatever is still assigned then is still ours, as the group sees
   * it.
   */
  Future<Set<Integer>> assignedAfterNextPoll();

  /** Whether somebody else is a member of the group now; may also be asked before the start. */
  Future<Boolean> hasOthers();

  /**
   * What the group gives to this member, once nobody is joining or leaving and every partition is
   * somebody's; empty before.
   */
  Future<Optional<Set<Integer>>> settledShare();

  /** Leaves the group, so that others take over at once. */
  Future<Void> close();
}
