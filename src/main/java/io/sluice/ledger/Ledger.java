package io.sluice.ledger;

import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Audit.TxnSums;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.SkuSettings.Watermarks;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ledger for owners of partitions, and for code that serves buyers: that uses the reads of
 * orders, and {@link #book}. Each call is one transaction. Deadlocks and lock waits are retried
 * inside. Any other failure of the database fails the Future with {@link
 * LedgerUnavailableException} (outcome unknown, the same call may be repeated). A failure that the
 * data itself causes fails it with {@link UnprocessableException} (nothing was written).
 */
public interface Ledger {

  // ---- owners of partitions

  /**
   * Takes the partition over: raises its term above its current value and above {@code termSeen}
   * elsewhere, and at least to the database's clock. So no term is issued twice, even after the
   * ledger was restored to an earlier state.
   */
  Future<Fence> takeOver(int partition, long termSeen);

  /** The fences of all partitions that ever had an owner. */
  Future<Map<Integer, Fence>> fences();

  /**
   * Takes the partition over at an offset that an operator chose, because the order log ends below
   * the recorded one.
   */
  Future<Fence> reset(int partition, long nextOffset);

  /**
   * A partition at one instant.
   *
   * @param nowMs the ledger's clock; everything that was committed before it is seen
   * @param fence empty if the partition never had an owner
   * @param pending the kinds of outbox rows that are PENDING
   */
  record Glance(long nowMs, Optional<Fence> fence, Set<OutboxKind> pending) {}

  /** Reads a partition. Calls of several partitions that come together cost one statement. */
  Future<Glance> glance(int partition);

  /** The reading that was stored last; empty if there is none. */
  Future<Optional<Reading>> reading(int partition);

  /**
   * Stores a reading, under the fence; false if the fence is lost.
   *
   * @param outage whether it begins or extends a shift, which is counted
   */
  Future<Boolean> keepReading(Fence fence, Reading reading, boolean outage);

  /** The longest payment window of any SKU. */
  Future<Long> longestWindowMs();

  /**
   * Moves a partition's next offset from {@code from} to {@code to}, because retention has deleted
   * the records in between unread. Raises the term and requests a rebuild of all buckets of the
   * partition, in one transaction. Returns false and changes nothing if {@code from} is not the
   * next offset.
   */
  Future<Boolean> skipLost(int partition, long from, long to);

  /** Whether lost records were skipped and not all buckets have been rebuilt since. */
  Future<Boolean> hasLost(int partition);

  // ---- commands

  /**
   * Commands of a partition that are applied in order.
   *
   * @param searched whether the grants of commands without an order were looked for. If not, a
   *     batch of the log that has such commands is {@link Result.Missing}
   */
  record Batch(Step step, List<Command> commands, boolean searched) {}

  /**
   * Applies a round of batches, of one partition each, in one transaction: check the fences, lock
   * the buckets in order, look up which tokens exist, replay each batch, write the rows, commit.
   * Batches that are committed already, as their fences show, are not looked at again. If a bucket
   * has no room for a grant, units of the other buckets of its SKU are gathered there.
   *
   * <p>A failure is that of all batches. The outcome is that of the batches one after the other.
   *
   * @return a result for each batch; one that was refused keeps no other from being applied
   */
  Future<List<Result>> apply(List<Batch> round);

  /**
   * Checks, without writing, whether the database would refuse these commands because of their
   * data. Those of foreign buckets are accepted: they are not applied here.
   */
  Future<Void> rehearse(Step step, List<Command> commands);

  /**
   * The result of a booking past the log.
   *
   * @param orders the given orders that are in the ledger now, in their current state: one that
   *     existed before may have ended. A grant of an older epoch is not among them, nor one for
   *     which there was no room
   * @param unsound whether the gate had no room, or did not know the grants' epoch: alarm, rebuild
   */
  record Booked(Map<OrderToken, Order> orders, boolean unsound) {}

  /**
   * Books grants of one bucket without owning its partition, while the order log is unavailable.
   * None is rejected, and no epoch is raised: of a ledger that was restored to an earlier state,
   * only the log tells which room there is. The gate and the bucket lock are the same, but there is
   * no fence. Their records may still appear in the log; they are duplicates then.
   *
   * @param grants asked for once a connection is there: those that have come meanwhile share the
   *     transaction. They are asked for again if it is repeated
   */
  Future<Booked> book(Supplier<List<Grant>> grants);

  // ---- orders

  /** The database's clock, epoch milliseconds. */
  Future<Long> nowMs();

  /** The settings of an instance that others must respect; 0 if there is none. */
  record InstanceSettings(long grantDeadlineMs, long sweepAfterMs) {}

  /**
   * Raises the ledger to one of the {@link Levels}, unless instances of a lower one may still run;
   * whether it is of this level, or of a higher one, now.
   */
  Future<Boolean> raise(int level);

  /** The longest of each setting among the instances that may still run. */
  Future<InstanceSettings> longestSettings();

  /**
   * PENDING orders of this partition whose pay_before is at most {@code dueMs}, among the next
   * holds behind {@code after}. One with an extension is due by its latest deadline alone, and one
   * of several SKUs by its lead.
   *
   * @param limit how many holds to look at, ended ones included
   */
  Future<DuePage> due(int partition, DuePlace after, long dueMs, int limit);

  /** The maximum number of orders in one call. */
  int ORDERS_MAX = 1_000;

  /**
   * The current committed state of these orders, at most {@link #ORDERS_MAX}. Unknown tokens are
   * left out. An order of several SKUs is read as a whole by the token of its lead; by those of its
   * other lines, only they are.
   */
  Future<Map<OrderToken, Order>> orders(Collection<OrderToken> tokens);

  // ---- buckets

  /**
   * Buckets on this partition that have not ended, in order, those after {@code after}; on {@link
   * Placement#DIRECT} those of SKUs in mode DIRECT.
   */
  Future<List<BucketRow>> buckets(int partition, Optional<BucketId> after, int limit);

  /**
   * Buckets of which nothing must be in Redis under this partition, in order, those after {@code
   * after}. They have ended here, or were here in an earlier sale of their SKU and are elsewhere
   * now.
   */
  Future<List<BucketId>> goneBuckets(int partition, Optional<BucketId> after, int limit);

  /** All buckets of the SKUs that exist among these, as {@link SkuLedger#bucketsOf(Collection)}. */
  Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds);

  /** One bucket, or empty. */
  Future<Optional<BucketRow>> bucket(BucketId id);

  /**
   * Buckets in this partition of SKUs in the same sale as this SKU, itself included, that have not
   * ended; in order, those after {@code after}.
   */
  Future<List<BucketId>> ofSameSale(int partition, long skuId, Optional<BucketId> after, int limit);

  /**
   * Raises the bucket's epoch above its current value and above {@code epochSeen} in Redis, under
   * the fence. If its SKU is ENDING and nothing of the bucket is held, the bucket ends in the same
   * transaction, and with the last one its SKU. Empty if the fence is lost.
   */
  Future<Optional<BucketRow>> raiseEpoch(Fence fence, BucketId id, long epochSeen);

  /**
   * Begins to end the SKU, if it was closed by its own closes_at at least this long ago.
   * Idempotent; without an effect while the SKU is frozen or restocked, or an older instance may
   * run.
   */
  Future<Void> endClosed(long skuId, long closedForMs);

  /**
   * All orders of this bucket in its current sale, ended ones included, those after {@code after}:
   * booked ones by epoch and seq, then rejected ones by token.
   */
  Future<List<LoadRow>> loadRows(BucketRow bucket, Optional<LoadRow> after, int limit);

  // ---- units that leave a bucket, of a take-back or for other buckets; docs/design-owner.md
  // section 8

  /** The result of {@link #lend}. */
  enum LendResult {
    /** There is an intent now, which the owner carries out from its outbox row. */
    INTENDED,
    /** The SKU does not sell, is in another sale, or no request is open any more. */
    NOTHING,
    FENCE_LOST
  }

  /**
   * Serves the requests of these parts that are still open: leaves one intent for all of them. A
   * request that is served is not withdrawn any more. The intent ends by {@link #finishTake}, which
   * moves the units from one allotment to the others in one transaction, or by {@link #refuseTake}.
   */
  Future<LendResult> lend(Fence fence, Move move);

  /** The result of a take-back. */
  enum TakeResult {
    DONE,
    /**
     * The bucket was rebuilt, or its total set, after Redis answered. The answer is void; Redis
     * must be asked again.
     */
    BUCKET_CHANGED,
    FENCE_LOST
  }

  /**
   * Completes a take-back for which Redis has removed the units: checks fence, epoch and version,
   * lowers the allotment, writes the ledger row, marks the intent SENT. Does nothing if the intent
   * is SENT already.
   *
   * @param epoch of the bucket when Redis was asked
   * @param version of the total from which Redis has removed the units
   */
  Future<TakeResult> finishTake(Fence fence, OutboxRow intent, long epoch, long version);

  /**
   * Marks an intent SENT that Redis refused, and plans the rest of its restock again. Makes the
   * same checks as {@link #finishTake}.
   */
  Future<TakeResult> refuseTake(Fence fence, OutboxRow intent, long epoch, long version);

  // ---- rows that committed transactions leave to be delivered

  /**
   * PENDING rows in id order, those after {@code afterId}. Each pass begins at 0: transactions
   * commit out of order, so an id remembered from an earlier pass would skip rows.
   */
  Future<List<OutboxRow>> pending(int partition, OutboxKind kind, long afterId, int limit);

  /** Marks these rows SENT, as they were read; another row with the id of one stays as it is. */
  Future<Void> sent(List<OutboxRow> rows);

  /**
   * Replaces RELEASE rows of which only a part was delivered: in one transaction under the fence,
   * they are marked SENT and rows with the rest are appended. A row that is SENT already stays as
   * it is, because then an earlier call has replaced it; so does another one with its id. False if
   * the fence is lost; nothing is changed then.
   *
   * @param rest by its row, the entries that are still to be delivered; at least one each
   */
  Future<Boolean> keepRest(Fence fence, Map<OutboxRow, List<String>> rest);

  /**
   * Lets orders be found by what the oldest EVENT rows of the partition tell that are SENT, and
   * deletes these rows, a page of them; true if more may be left. Any number of instances may.
   */
  Future<Boolean> noteSent(int partition);

  /**
   * Deletes up to {@code limit} SENT rows of the partition that were written before {@code
   * beforeMs}, other than events: see {@link #noteSent}.
   */
  Future<Integer> purge(int partition, long beforeMs, int limit);

  // ---- requests from any instance to the owner of a partition

  /** Open requests of these partitions with an id above {@code afterId}, oldest first. */
  Future<List<OwnerRequest>> openRequests(Collection<Integer> partitions, long afterId, int limit);

  /** Closes requests with the same answer (JSON). */
  Future<Void> answerRequests(Collection<Long> ids, String answer);

  /**
   * Deletes up to {@code limit} answered requests to the partition's owner that were created before
   * {@code beforeMs}.
   */
  Future<Integer> purgeRequests(int partition, long beforeMs, int limit);

  // ---- comparison of Redis with the ledger

  /**
   * The maximum number of pending releases that {@link StillBucket#unreleased} lists; with more, it
   * lists none.
   */
  int UNRELEASED_MAX = 5_000;

  /**
   * A bucket that is locked, so that no transaction changes it during a comparison.
   *
   * @param restocking whether the bucket has a RESTOCK row that is not SENT, so that Redis is not
   *     up to date
   * @param unreleased the bucket's orders whose release is not SENT, and the units that each of
   *     them keeps; empty if the partition has more than {@link #UNRELEASED_MAX}
   * @param bookedOf the tokens among these, at most 2,000, that have an order
   */
  record StillBucket(
      BucketRow row,
      boolean restocking,
      Optional<Map<OrderToken, Integer>> unreleased,
      Function<Collection<OrderToken>, Future<Set<OrderToken>>> bookedOf) {}

  /**
   * Locks a bucket of the fence's partition while {@code look} reads it; writes nothing. Empty if
   * the fence is lost.
   */
  <T> Future<Optional<T>> compare(Fence fence, BucketId id, Function<StillBucket, Future<T>> look);

  /** Stores the partition's last reconciliation report (JSON). */
  Future<Void> reported(int partition, String report);

  /** Freezes the SKU with an alarm, because an impossible state was found. Idempotent. */
  Future<Void> freezeSku(long skuId, String why);

  /**
   * A repair that was started because Redis and the ledger differ.
   *
   * @param what e.g. the bucket
   * @param atMs when it was recorded, epoch milliseconds; set on reading, ignored on writing
   */
  record Correction(String what, String before, String after, String why, long atMs) {}

  /** Records a repair. */
  Future<Void> correct(Correction correction);

  /** The last repairs, newest first. */
  Future<List<Correction>> corrections(int limit);

  // ---- audits: append-only rows against counters, in one snapshot or, of many rows, in slices

  /**
   * The append-only rows of a SKU and its counters, read in one snapshot. Empty if the SKU does not
   * exist or has more than {@code rowsMax} rows.
   */
  Future<Optional<Audit>> audit(long skuId, int rowsMax);

  /**
   * The counters of a SKU while no transaction changes them, and the number of the last write of
   * each bucket at that time. A row is only appended by a transaction that holds the lock of its
   * bucket, and carries the number of that write. So while all buckets are locked, every row up to
   * that number is committed, and any later row has a higher number. Empty if the SKU does not
   * exist.
   */
  Future<Optional<Mark>> mark(long skuId);

  /**
   * Adds the next rows of the SKU, at most {@code rowsMax}, to the sums read so far. The result is
   * {@link TxnSums#NONE} if rows were archived since the mark was made: it must be made again.
   */
  Future<TxnSums> sum(Mark mark, TxnSums before, int rowsMax);

  // ---- the archive: one bounded transaction a call, whose progress is committed with it

  /**
   * The maximum number of orders that one call moves of a SKU that is in a later sale: bookings of
   * that wait meanwhile, some 10 ms.
   */
  int BESIDE_A_SALE_MAX = 200;

  /**
   * Moves the next orders of the SKU that waits longest. With the last ones, puts one row for each
   * bucket in the place of those of units that moved between buckets, unless the SKU is in a later
   * sale that runs. No order that has not ended is moved; a SKU that has such orders is looked at
   * again later. Orders of a sale that has ended are moved whatever the SKU is sold in now.
   *
   * @param ordersMax at most 5,000
   * @return whether anything was to be done
   */
  Future<Boolean> archiveNext(int ordersMax);

  /**
   * Looks through the next orders for a buyer who is to be forgotten.
   *
   * @param rowsMax how many orders to look at
   * @return whether anything was to be done
   */
  Future<Boolean> forgetNext(int rowsMax);

  // ---- watermarks: the SKU's, not a bucket's, so that the owner of its first bucket looks after
  // them

  /**
   * A SKU's stock as the ledger counts it, over all buckets, without the units that its earlier
   * sales have sold.
   *
   * @param below how many marks the stock is at or below, as last written: 0, 1 for LOW, 2 for LAST
   *     as well
   * @param crossings how many marks were crossed so far
   * @param saleId the sale that it is in; null if it is in none
   */
  record MarkedStock(
      long skuId,
      long total,
      long available,
      Watermarks marks,
      int below,
      long crossings,
      @Nullable String saleId) {}

  /**
   * The next SKUs whose first bucket is in this partition, in order of their ids; none that has
   * begun to end.
   */
  Future<List<MarkedStock>> markedStocks(int partition, long afterSkuId, int limit);

  /**
   * Reads the same page again in one transaction under the fence, writes down which marks its SKUs
   * have passed since, and leaves an event of each. Without effect if none was passed. False if the
   * fence is lost; nothing is changed then.
   */
  Future<Boolean> crossMarks(Fence fence, long afterSkuId, int limit);
}
