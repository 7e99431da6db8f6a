package io.sluice.ledger;

import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operators' changes and reads of SKUs; each call is one transaction, from any instance. Every
 * change raises the versions of the SKU's buckets and writes one RESTOCK outbox row per bucket,
 * from which the owners update Redis. Failures as in {@link Ledger}.
 */
public interface SkuLedger {
  /**
   * The validated body of a PUT.
   *
   * @param name null for none
   * @param put which of the values it leaves out, and what it depends on
   */
  record NewSku(
      long skuId,
      long totalStock,
      int buckets,
      Sku.Mode mode,
      SkuSettings settings,
      @Nullable String name,
      Put put) {
    /** Without a name. */
    public NewSku(
        long skuId, long totalStock, int buckets, Sku.Mode mode, SkuSettings settings, Put put) {
      this(skuId, totalStock, buckets, mode, settings, null, put);
    }

    /** With all values given. */
    public NewSku(long skuId, long totalStock, int buckets, Sku.Mode mode, SkuSettings settings) {
      this(skuId, totalStock, buckets, mode, settings, Put.WHOLE);
    }
  }

  /** The result of a PUT. */
  sealed interface PutResult {
    /**
     * @param created false if the SKU existed, changed or not
     * @param changed the fields that have other values than before; of one that existed
     * @param restock as which its total changes; a {@link #restock} with these values tells how far
     *     it is. Null if it does not change
     */
    record Done(Sku sku, boolean created, List<String> changed, @Nullable TotalChange restock)
        implements PutResult {
      /** A SKU whose total has not changed. */
      public Done(Sku sku, boolean created, List<String> changed) {
        this(sku, created, changed, null);
      }

      /** A SKU that is new, or has not changed. */
      public Done(Sku sku, boolean created) {
        this(sku, created, List.of());
      }
    }

    /** The restock that a PUT of another total is. */
    record TotalChange(String restockId, long qty) {}

    /** Nothing was written: the PUT is not meant for the SKU that exists. */
    record Moved(boolean exists) implements PutResult {}

    /** Nothing was written: a field is wrong for what exists, or for a new SKU. */
    record Invalid(String field, Put.Fault fault) implements PutResult {}

    /** The PUT differs in a setting that is fixed by the first PUT. */
    record Conflict(String field, String expected, String was) implements PutResult {}

    /**
     * The PUT has another total, which it cannot change.
     *
     * @param first that of the last PUT that has set it
     * @param now with all restocks since
     * @param sells whether units are held or sold; otherwise the SKU was restocked, and the PUT
     *     does not say that it knows
     */
    record TotalFixed(long first, long now, long wanted, boolean sells) implements PutResult {}

    /** The PUT has another total, and a take-back is under way. */
    record IsRestocking() implements PutResult {}

    /** The PUT differs in a setting that the SKU's sale has set. */
    record InSale(String saleId, String field) implements PutResult {}

    /** The SKU is ending, or has ended. */
    record IsEnding() implements PutResult {}

    /** A new SKU that sells through Redis, which this service does not have. */
    record NoMode() implements PutResult {}
  }

  /**
   * Creates the SKU (state SCHEDULED if it opens later, else OPEN), or changes its settings. Fields
   * that the PUT leaves out are not changed.
   *
   * <p>Another total is a restock by the difference, as long as no unit of the SKU's sale is held
   * or sold. So that a PUT which repeats old values takes back no restock, a SKU that was restocked
   * needs a PUT that names the SKU's tag.
   */
  Future<PutResult> put(NewSku sku);

  /** The state change that an operator asks for. */
  enum StateChange {
    OPEN,
    CLOSE,
    FREEZE,
    UNFREEZE,
    END,
    FOLLOW
  }

  /** The result of a state change. */
  sealed interface ChangeResult {
    record Done(Sku sku) implements ChangeResult {}

    record Unknown() implements ChangeResult {}

    /** Nothing was written: the SKU is not what the change is meant for. */
    record Moved() implements ChangeResult {}

    /** Open, close, end and follow do not apply to a SKU that is frozen on its own. */
    record IsFrozen() implements ChangeResult {}

    /** Only the SKU's sale can make this change: it is frozen, or its closes_at has passed. */
    record InSale(String saleId) implements ChangeResult {}

    /** The SKU is ending, or has ended. */
    record IsEnding() implements ChangeResult {}

    /** A SKU does not begin to end while a take-back is under way. */
    record IsRestocking() implements ChangeResult {}
  }

  /**
   * Changes the state; idempotent. OPEN sells now, whatever opens_at is, and clears a closes_at
   * that has passed. UNFREEZE restores the state before FREEZE. END closes it for good: its owners
   * end its buckets, each once nothing of it is held.
   *
   * <p>FOLLOW takes back what it was opened or closed by. Then a SKU has all that its sale has set
   * last; one that is in no sale opens and closes by its own times. A SKU that is frozen on its own
   * must be unfrozen first; one that is frozen with its sale stays so until that is unfrozen.
   *
   * @param ifMatch what must exist
   */
  Future<ChangeResult> change(long skuId, StateChange change, IfMatch ifMatch);

  /** The result of a deletion. */
  sealed interface DeleteResult {
    record Done() implements DeleteResult {}

    record Unknown() implements DeleteResult {}

    /** Nothing was deleted: only a SKU that has ended takes no order any more. */
    record NotEnded() implements DeleteResult {}

    /** Nothing was deleted: it has orders, of whatever sale and status. */
    record HasOrders() implements DeleteResult {}
  }

  /**
   * Deletes a SKU that has ended and has no order: with its stock, its name, its restocks and its
   * places in sales. Nothing of it can be granted or booked any more then, since its end has raised
   * the epochs of its buckets. A SKU that is created under its id goes on from its numbers, so that
   * no token or grant of the deleted one is its own.
   */
  Future<DeleteResult> delete(long skuId);

  /** The state of a restock. */
  sealed interface RestockResult {
    /**
     * @param sku with the total after this restock
     */
    record Done(Sku sku) implements RestockResult {}

    /** A take-back that owners are still working on; call again. */
    record Working() implements RestockResult {}

    /** A take-back of more than the unsold units; nothing was taken. */
    record Refused(long unsold) implements RestockResult {}

    /** The restock id was used before with another quantity. */
    record Mismatch(long recordedQty) implements RestockResult {}

    /** The total would exceed its maximum. */
    record TooMuch(long totalStock) implements RestockResult {}

    /** The SKU is ending, or has ended. */
    record IsEnding() implements RestockResult {}

    record Unknown() implements RestockResult {}

    /** Nothing was written: the SKU is not what the restock is meant for. */
    record Moved() implements RestockResult {}
  }

  /**
   * Adds units (spread over the buckets as evenly as possible) or, with a negative quantity, plans
   * to take them back: one intent per bucket, executed by the owners. While a bucket refuses and
   * others have units, the rest is planned again; if all buckets together have too few, everything
   * is undone. Idempotent by SKU, its sale and restock id: repeating the call returns the current
   * state of the restock.
   *
   * @param ifMatch what must exist when the restock begins; the restock itself changes it
   */
  Future<RestockResult> restock(long skuId, String restockId, long qty, IfMatch ifMatch);

  // ---- the archive: requests that are written down, and carried out later by owners

  /** How far the archive of a SKU is. */
  sealed interface ArchiveResult {
    /** All orders of the sale are in the archive. */
    record Done(Sku sku) implements ArchiveResult {}

    /** Asked for; goes on by itself. */
    record Working(Sku sku) implements ArchiveResult {}

    /** The sale has not ended; nothing was written down. */
    record NotEnded(Sku sku) implements ArchiveResult {}

    record Unknown() implements ArchiveResult {}
  }

  /** Asks for all orders of an ended SKU to be moved to the archive; it is ARCHIVED after that. */
  Future<ArchiveResult> archive(long skuId);

  /**
   * How far a buyer is forgotten.
   *
   * @param pseudonym that stands in place of the id
   * @param replaced how many orders have it
   * @param left how many orders keep the id: their sale, they, or a refund of them have not ended
   */
  record Forgotten(String pseudonym, long replaced, long left, boolean done) {}

  /**
   * Asks for a buyer to be taken out of all orders of ended sales: another id, another token, no
   * reference, and other names of payments. The result is forgotten once it was returned as done.
   *
   * @param pseudonym used if the buyer is not being forgotten already
   */
  Future<Forgotten> forget(String userId, String pseudonym);

  // ---- reads

  /** The SKUs that exist among these, by id. */
  Future<Map<Long, Sku>> skus(Collection<Long> skuIds);

  /** One SKU, or empty. */
  default Future<Optional<Sku>> sku(long skuId) {
    return skus(List.of(skuId)).map(found -> Optional.ofNullable(found.get(skuId)));
  }

  /** SKUs in id order, those after {@code afterSkuId}. */
  Future<List<Sku>> skus(long afterSkuId, int limit);

  /** All buckets of the SKUs that exist among these, in order. */
  Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds);

  /** All buckets of a SKU. */
  default Future<List<BucketRow>> bucketsOf(long skuId) {
    return bucketsOf(List.of(skuId)).map(found -> found.getOrDefault(skuId, List.of()));
  }

  /** The audit of one SKU, read in one consistent snapshot; empty if the SKU does not exist. */
  Future<Optional<Audit>> audit(long skuId);

  /**
   * Creates a request for the bucket's owner; an open one of the same kind for the same bucket is
   * reused.
   */
  Future<Long> request(RequestKind kind, BucketId bucket);

  /** The maximum number of requests in one {@code borrow}. */
  int BORROWS_MAX = 256;

  /** How long a request for units waits for the owner before an instance may withdraw it. */
  Duration UNSERVED_MAX = Duration.ofSeconds(5);

  /**
   * Asks owners for units; at most one request for a bucket is open. One that nobody has served for
   * {@link #UNSERVED_MAX} is withdrawn instead.
   *
   * @return the buckets whose requests were withdrawn, for which another bucket is to be asked
   */
  Future<Set<BucketId>> borrow(List<Borrow> borrows);

  /**
   * Asks the owner of a partition to compare all its buckets with Redis now; an open request is
   * reused.
   */
  Future<Long> requestReconcile(int partition);

  /** The last reconciliation report of each partition, JSON as its owner wrote it. */
  Future<Map<Integer, String>> reports();

  /** The answer to a request; empty while it is open. */
  Future<Optional<String>> answer(long requestId);
}
