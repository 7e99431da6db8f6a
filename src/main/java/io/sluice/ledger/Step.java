package io.sluice.ledger;

import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The owner that applies a batch, and the offsets that the batch covers.
 *
 * @param beginOffset that this owner last wrote or read; equal to {@code endOffset} for commands
 *     that do not come from the log
 */
public record Step(int partition, long term, long beginOffset, long endOffset) {
  /** A step that only checks the fence. */
  public static Step check(Fence fence) {
    return new Step(fence.partition(), fence.term(), fence.nextOffset(), fence.nextOffset());
  }

  /** A step that advances the fence's offset to {@code endOffset}. */
  public static Step advance(Fence fence, long endOffset) {
    return new Step(fence.partition(), fence.term(), fence.nextOffset(), endOffset);
  }

  public boolean advances() {
    return endOffset != beginOffset;
  }

  /** The result of a step. */
  public sealed interface Result {
    long NOTHING_DUE = Long.MAX_VALUE;

    /** The earliest payment deadline of those of these orders that have units. */
    static long earliestDueMs(Collection<Order> orders) {
      return orders.stream()
          .filter(order -> order.status() != OrderStatus.REJECTED)
          .mapToLong(Order::payBeforeMs)
          .min()
          .orElse(NOTHING_DUE);
    }

    /**
     * The transaction is committed: by this call, or by an earlier one whose reply was lost.
     *
     * @param booked tokens of the RESERVE commands that are in the ledger now, to be removed from
     *     {@code unbooked}
     * @param full buckets at which the gate had no room, although their SKU was asked as a whole:
     *     alarm, rebuild
     * @param stale grants dropped because their epoch is older than the bucket's
     * @param ahead buckets raised to the epoch of a grant that the ledger did not know, or to which
     *     units of other buckets were gathered: alarm, rebuild
     * @param clashing buckets in which two orders claim one seq of an epoch: alarm, rebuild
     * @param outbox of which kinds rows were written, so that the passes of these are woken
     * @param orders of the commands, and others that were changed, as they are after it; an order
     *     of several SKUs as a whole, and each of its lines
     * @param dueFromMs the earliest payment deadline of the orders booked or extended; {@link
     *     #NOTHING_DUE} if there is none
     */
    record Applied(
        List<OrderToken> booked,
        List<BucketId> full,
        List<Grant> stale,
        List<BucketId> ahead,
        List<BucketId> clashing,
        Set<OutboxKind> outbox,
        Collection<Order> orders,
        long dueFromMs)
        implements Result {

      /**
       * The result of an earlier call, whose reply was lost, as far as it is known.
       *
       * @param reserved tokens of its RESERVE commands
       * @param found the orders of its commands that exist
       */
      public static Applied before(Set<OrderToken> reserved, Map<OrderToken, Order> found) {
        return new Applied(
            reserved.stream().filter(found::containsKey).toList(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Set.of(OutboxKind.EVENT, OutboxKind.DEAD, OutboxKind.RELEASE),
            found.values(),
            Result.earliestDueMs(found.values()));
      }
    }

    /**
     * Another owner has the partition, or the offset is not the expected one. Nothing was written.
     */
    record FenceLost(Fence now) implements Result {}

    /**
     * Some commands are for buckets that are in other partitions now. Nothing was written: the
     * caller appends those commands there, and applies the others.
     *
     * @param partitions of these buckets, as this transaction found them
     */
    record Foreign(Map<BucketId, Integer> partitions) implements Result {}

    /**
     * The ledger has no order of these commands' tokens, and none of the commands books one.
     * Nothing was written: the caller looks for their grants, and applies the batch again as {@link
     * Ledger.Batch#searched}.
     */
    record Missing(Set<OrderToken> tokens) implements Result {}

    /**
     * The batch needs rows that the transaction has not locked, or that another batch of the round
     * changes, or the data of one made the round fail. Nothing was written: the caller applies it
     * alone.
     */
    record NotJoined() implements Result {}
  }
}
