package io.sluice.ledger;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.OwnerRequests.RequestKind;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What operators do in the ledger; each call one transaction, from any instance. Every change
 * raises the versions of the SKU's buckets and leaves one RESTOCK outbox row a bucket, from which
 * the owners bring Redis up to date. Failures as in {@link Ledger}.
 */
public interface SkuLedger {

  /** The body of a PUT, checked. */
  record NewSku(long skuId, long totalStock, int buckets, Sku.Mode mode, SkuSettings settings) {}

  /** What became of a PUT. */
  sealed interface PutResult {
    /**
     * @param created false where it was there already, changed or not
     */
    record Done(Sku sku, boolean created) implements PutResult {}

    /** A setting that is fixed by the first PUT differs. */
    record Conflict(String field, String expected, String was) implements PutResult {}
  }

  /** Creates the SKU (state SCHEDULED where it opens later, else OPEN), or changes its settings. */
  Future<PutResult> put(NewSku sku);

  /** What an operator wants a SKU's state to be. */
  enum StateChange {
    OPEN,
    CLOSE,
    FREEZE,
    UNFREEZE
  }

  /** What became of a change of state. */
  sealed interface ChangeResult {
    record Done(Sku sku) implements ChangeResult {}

    record Unknown() implements ChangeResult {}

    /** Open and close do not apply to a frozen SKU. */
    record IsFrozen() implements ChangeResult {}
  }

  /**
   * Changes the state; idempotent. OPEN sells now, whatever opens_at says, and clears a closes_at
   * that has passed. UNFREEZE restores what was before FREEZE.
   */
  Future<ChangeResult> change(long skuId, StateChange change);

  /** What is known of a restock. */
  sealed interface RestockResult {
    /**
     * @param sku with the total that includes it
     */
    record Done(Sku sku) implements RestockResult {}

    /** A take-back that owners are working on; ask again. */
    record Working() implements RestockResult {}

    /** A take-back of more than is unsold; nothing was taken. */
    record Refused(long unsold) implements RestockResult {}

    /** The same restock id with another quantity. */
    record Mismatch(long recordedQty) implements RestockResult {}

    /** The total would pass its maximum. */
    record TooMuch(long totalStock) implements RestockResult {}

    record Unknown() implements RestockResult {}
  }

  /**
   * Adds units (spread over the buckets as evenly as it goes) or, with a negative quantity, plans
   * to take them back: one intent a bucket, driven by the owners, planned anew while a bucket
   * refuses and others have units, undone where all together have too few. Idempotent by SKU and
   * restock id: the same call again tells what became of it.
   */
  Future<RestockResult> restock(long skuId, String restockId, long qty);

  /** Those of these SKUs that there are, by id. */
  Future<Map<Long, Sku>> skus(Collection<Long> skuIds);

  /** One SKU, or empty. */
  default Future<Optional<Sku>> sku(long skuId) {
    return skus(List.of(skuId)).map(found -> Optional.ofNullable(found.get(skuId)));
  }

  /** SKUs in the order of their ids, from after {@code afterSkuId} on. */
  Future<List<Sku>> skus(long afterSkuId, int limit);

  /** All buckets of each of these SKUs that there are, in order. */
  Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds);

  /** All buckets of a SKU. */
  default Future<List<BucketRow>> bucketsOf(long skuId) {
    return bucketsOf(List.of(skuId)).map(found -> found.getOrDefault(skuId, List.of()));
  }

  /**
   * What the append-only rows alone say, as {@code inventory_view} does, beside the counters.
   *
   * @param countersHeld sum of the buckets' held, and so on; must equal the view's
   */
  record Audit(
      long skuId,
      long total,
      long held,
      long sold,
      long countersTotal,
      long countersHeld,
      long countersSold) {
    public long available() {
      return total - held - sold;
    }

    public boolean agrees() {
      return total == countersTotal && held == countersHeld && sold == countersSold;
    }
  }

  /** The audit of one SKU, read in one consistent snapshot; or empty. */
  Future<Optional<Audit>> audit(long skuId);

  /**
   * Leaves a request for the bucket's owner; an open one of the same kind for the same bucket is
   * reused.
   */
  Future<Long> request(RequestKind kind, BucketId bucket);

  /**
   * Asks the owner of a partition to compare all its buckets with Redis now; an open request is
   * reused.
   */
  Future<Long> requestReconcile(int partition);

  /** The last report of each partition that was compared, JSON as its owner wrote it. */
  Future<Map<Integer, String>> reports();

  /** The answer of a request, or empty while it is open. */
  Future<Optional<String>> answer(long requestId);
}
