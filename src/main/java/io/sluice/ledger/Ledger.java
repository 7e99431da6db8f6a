package io.sluice.ledger;

import io.sluice.ledger.Instances.InstanceSettings;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What owners do in the ledger. Each call is one transaction. Deadlocks and lock waits are retried
 * inside; any other failure of the database fails the Future with {@link
 * LedgerUnavailableException} (outcome unknown, the same call may be repeated), a failure that the
 * data itself causes with {@link UnprocessableException} (nothing was written).
 */
public interface Ledger extends LogProgress, Audits {

  // ---- ownership

  /**
   * Takes the partition over: raises its term above what it was and {@code termSeen} elsewhere, and
   * to the database's clock at least. So no term is given twice, even where the ledger was put back
   * to an earlier state.
   */
  Future<Fence> takeOver(int partition, long termSeen);

  /** The fences of all partitions that ever had an owner. */
  Future<Map<Integer, Fence>> fences();

  /**
   * Takes the partition over at an offset that an operator names, since the order log ends below
   * the one that is recorded.
   */
  Future<Fence> reset(int partition, long nextOffset);

  // ---- orders

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
   * which tokens exist, {@link LedgerBatch}, rows, commit.
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

  /** The database's clock, epoch milliseconds. */
  Future<Long> nowMs();

  /** {@link Instances#longest}. */
  Future<InstanceSettings> longestSettings();

  /** PENDING orders of this partition whose pay_before is at most {@code dueMs}, oldest first. */
  Future<List<OrderToken>> due(int partition, long dueMs, int limit);

  /** How many orders one call may ask for. */
  int ORDERS_MAX = 1_000;

  /** These orders, as committed now. Unknown tokens are left out; at most {@link #ORDERS_MAX}. */
  Future<Map<OrderToken, Order>> orders(Collection<OrderToken> tokens);

  // ---- outbox

  /** Which pass a row belongs to; one being stuck does not hold the other. */
  enum OutboxKind {
    EVENT,
    RELEASE,
    RESTOCK,
    DEAD
  }

  /**
   * A row to be passed on; the payload is JSON, its form is up to the kind ({@link OutboxPayload}).
   */
  record OutboxRow(long id, int partition, OutboxKind kind, String eventType, String payload) {}

  /**
   * PENDING rows in the order of their ids, from after {@code afterId} on. Each pass begins at 0:
   * transactions commit out of order, so a remembered id would pass rows over.
   */
  Future<List<OutboxRow>> pending(int partition, OutboxKind kind, long afterId, int limit);

  /** Marks these rows SENT. */
  Future<Void> sent(List<Long> ids);

  /**
   * Deletes up to {@code limit} SENT rows of the partition that were written before {@code
   * beforeMs}.
   */
  Future<Integer> purge(int partition, long beforeMs, int limit);

  /**
   * Deletes up to {@code limit} answered requests to the partition's owner that were made before
   * {@code beforeMs}.
   */
  Future<Integer> purgeRequests(int partition, long beforeMs, int limit);

  // ---- buckets

  /** A bucket as the ledger records it, with what its SKU says about it. */
  record BucketRow(
      BucketId id,
      int partition,
      long allotted,
      long held,
      long sold,
      long epoch,
      long version,
      SkuState state,
      SkuSettings settings) {

    public long free() {
      return allotted - held - sold;
    }
  }

  /** Buckets of SKUs in mode FAST on this partition, in order, from after {@code after} on. */
  Future<List<BucketRow>> buckets(int partition, Optional<BucketId> after, int limit);

  /** One bucket, or empty. */
  Future<Optional<BucketRow>> bucket(BucketId id);

  /**
   * Raises the bucket's epoch to one more than it is, and than {@code epochSeen} in Redis, under
   * the fence. Empty where the fence is lost.
   */
  Future<Optional<BucketRow>> raiseEpoch(Fence fence, BucketId id, long epochSeen);

  /** An order as a rebuild loads it. */
  record LoadRow(Grant grant, boolean live) {}

  /** Every order that this bucket ever had, in the order of tokens, from after {@code after} on. */
  Future<List<LoadRow>> loadRows(BucketId id, Optional<OrderToken> after, int limit);

  /**
   * Completes a take-back of which Redis has given up the units: checks fence, epoch and version,
   * lowers the allotment, writes the ledger row, marks the intent SENT. A no-op where the intent is
   * SENT already.
   *
   * @param epoch of the bucket when Redis was asked
   * @param version of the total that Redis has taken the units from
   */
  Future<TakeResult> finishTake(Fence fence, OutboxRow intent, long epoch, long version);

  /**
   * Marks an intent that Redis refused SENT, and plans what is left of its restock anew. Checks
   * what {@link #finishTake} does.
   */
  Future<TakeResult> refuseTake(Fence fence, OutboxRow intent, long epoch, long version);

  /** What became of a take-back. */
  enum TakeResult {
    DONE,
    /**
     * The bucket was rebuilt, or its total set, since Redis answered, so that the answer is void:
     * ask Redis again.
     */
    BUCKET_CHANGED,
    FENCE_LOST
  }

  /** Freezes the SKU with an alarm, since something that cannot happen was seen. Idempotent. */
  Future<Void> freezeSku(long skuId, String why);

  /**
   * A repair that was begun since Redis and the ledger disagreed.
   *
   * @param what e.g. the bucket
   * @param atMs when it was recorded, epoch milliseconds; given back, not taken
   */
  record Correction(String what, String before, String after, String why, long atMs) {}

  /** Records a repair. */
  Future<Void> correct(Correction correction);

  /** The last repairs, newest first. */
  Future<List<Correction>> corrections(int limit);

  // ---- comparing

  /** Releases of a partition that are not SENT; where there are more, none is listed. */
  int UNRELEASED_MAX = 5_000;

  /** How many tokens {@code booked} may be asked for. */
  int BOOKED_MAX = 2_000;

  /**
   * Holds a bucket of the fence's partition still while {@code look} looks at it; writes nothing.
   * Empty where the fence is lost.
   */
  <T> Future<Optional<T>> compare(Fence fence, BucketId id, Function<StillBucket, Future<T>> look);

  /** Keeps the partition's last report (JSON) of how Redis and the ledger compare. */
  Future<Void> reported(int partition, String report);

  // ---- requests of other instances

  /** What an instance asks of an owner. */
  enum RequestKind {
    LOAD,
    REBUILD,
    RECONCILE
  }

  /**
   * An open request for the owner of a partition.
   *
   * @param bucket what it is about; empty where it is about all buckets of the partition
   */
  record OwnerRequest(long id, int partition, RequestKind kind, Optional<BucketId> bucket) {}

  /** Open requests of these partitions with ids above that one, oldest first. */
  Future<List<OwnerRequest>> openRequests(Collection<Integer> partitions, long afterId, int limit);

  /** Closes a request with its answer (JSON). */
  Future<Void> answerRequest(long id, String answer);
}
