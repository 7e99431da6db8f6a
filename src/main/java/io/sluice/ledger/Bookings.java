package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** How commands become rows, under the fence of an owner or without. Part of {@link Ledger}. */
public interface Bookings {

  /**
   * Who applies, and how far the log is applied by it.
   *
   * @param beginOffset what this owner last wrote or read; equal to {@code endOffset} for what does
   *     not come from the log
   */
  record Step(int partition, long term, long beginOffset, long endOffset) {
    /** A step that only checks the fence. */
    public static Step check(Fence fence) {
      return new Step(fence.partition(), fence.term(), fence.nextOffset(), fence.nextOffset());
    }

    /** A step that passes the log from the fence's offset up to {@code endOffset}. */
    public static Step advance(Fence fence, long endOffset) {
      return new Step(fence.partition(), fence.term(), fence.nextOffset(), endOffset);
    }

    public boolean advances() {
      return endOffset != beginOffset;
    }
  }

  /** What became of a step. */
  sealed interface Result {
    /**
     * The transaction is committed (now, or before, its reply having been lost).
     *
     * @param booked tokens of the RESERVE commands that are in the ledger now, to be taken out of
     *     {@code unbooked}
     * @param full buckets at which the gate had no room: alarm, rebuild
     * @param stale RESERVE commands dropped since their epoch is older than the bucket's
     * @param ahead buckets brought to the epoch of a grant, which was unknown: alarm, rebuild
     * @param released whether RELEASE rows were written: which outbox pass to wake
     * @param events likewise of EVENT and DEAD rows
     */
    record Applied(
        List<OrderToken> booked,
        List<BucketId> full,
        int stale,
        List<BucketId> ahead,
        boolean released,
        boolean events)
        implements Result {}

    /** Another has the partition, or the offset is not what was expected; nothing was written. */
    record FenceLost(Fence now) implements Result {}
  }

  /**
   * Applies commands in order, in one transaction with the fence: fence, bucket rows in order,
   * which tokens exist, the batch replayed, rows, commit.
   */
  Future<Result> apply(Step step, List<Command> commands);

  /**
   * Finds out, without writing, whether these commands would be refused by the database because of
   * their data.
   */
  Future<Void> rehearse(Step step, List<Command> commands);

  /**
   * What became of grants that were booked directly.
   *
   * @param orders those that are in the ledger now, as they stand there: one that was known before
   *     may have ended, one for which there was no room is REJECTED. A grant of an older epoch is
   *     not among them
   * @param unsound whether the gate had no room, or did not know the grants' epoch: alarm, rebuild
   */
  record Booked(Map<OrderToken, Order> orders, boolean unsound) {}

  /**
   * Books grants of one bucket without being its owner, while the order log is away: the same gate
   * under the same bucket lock, without the fence. Their records may still turn up in the log; they
   * are duplicates then.
   */
  Future<Booked> book(List<Grant> grants);
}
