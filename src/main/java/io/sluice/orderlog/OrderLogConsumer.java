package io.sluice.orderlog;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;

/**
 * The one consumer of this instance: a member of the group that passes records on to the owners of
 * partitions.
 */
public interface OrderLogConsumer {

  /** Joins the group. Completes after the first poll; polling continues until {@link #close}. */
  Future<Void> start(PartitionListener listener);

  /**
   * Seeks an assigned partition to this offset, and resumes it. Fails if the offset is out of
   * range.
   */
  Future<Void> startAt(int partition, long offset);

  /** Stops the delivery of these partitions' records; the consumer continues to poll. */
  void pause(Set<Integer> partitions);

  void resume(Set<Integer> partitions);

  /**
   * Completes after the next poll with the partitions that the group still assigns to this member.
   */
  Future<Set<Integer>> assignedAfterNextPoll();

  /** Whether the group has other members now; may also be called before the start. */
  Future<Boolean> hasOthers();

  /**
   * The partitions assigned to this member, once no rebalance is in progress and every partition is
   * assigned; empty before.
   */
  Future<Optional<Set<Integer>>> settledShare();

  /**
   * Leaves the group at once, so that other members take over without waiting for the session
   * time-out.
   */
  Future<Void> close();
}
