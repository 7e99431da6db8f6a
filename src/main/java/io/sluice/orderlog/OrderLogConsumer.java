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

  /**
   * Notified of the partitions assigned to this instance, and of their records. Called on the
   * context that started the consumer.
   */
  interface PartitionListener {

    /**
     * These partitions are assigned. They stay paused until {@link OrderLogConsumer#startAt} sets
     * the offset.
     */
    void assigned(Set<Integer> partitions);

    /**
     * These partitions are not assigned any more, or may not be. Their next owner is named once the
     * returned future has completed, or after a short time. The fence makes work in flight
     * harmless, but each would take the fence from the other.
     *
     * @return completes when nothing that was begun for these partitions is in flight
     */
    Future<Void> revoked(Set<Integer> partitions);

    /**
     * The next records of a partition, or offsets that are of none. The listener bounds its queue
     * with {@link OrderLogConsumer#pause}.
     */
    void polled(LogBatch batch);

    /**
     * The partition cannot be read at its offset, e.g. because that is out of range. It is not read
     * until {@link OrderLogConsumer#startAt} has set an offset again.
     */
    void failed(int partition, Throwable cause);
  }

  /**
   * A partition does not have the offset to read from. No offset is ever reset silently; an
   * operator decides.
   */
  final class LogOffsetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int partition;
    private final long wanted;
    private final long begin;
    private final long end;

    /**
     * @param wanted the offset to read from
     * @param begin the first offset of the partition
     * @param end the offset of its next record
     */
    public LogOffsetException(int partition, long wanted, long begin, long end) {
      super(
          "Expected partition %d to hold offset %d, but it holds %d up to %d"
              .formatted(partition, wanted, begin, end));
      this.partition = partition;
      this.wanted = wanted;
      this.begin = begin;
      this.end = end;
    }

    public int partition() {
      return partition;
    }

    public long wanted() {
      return wanted;
    }

    public long begin() {
      return begin;
    }

    public long end() {
      return end;
    }
  }
}
