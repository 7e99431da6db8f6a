package io.sluice.ledger;

import io.sluice.ledger.SkuLedger.Audit;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * How the append-only rows of a SKU are held against its counters: a SKU of few rows in one
 * snapshot, one of many in slices. Each call fails like one of {@link Ledger}.
 */
public interface Audits {

  /**
   * The append-only rows of a SKU beside its counters, in one snapshot. Empty where there is no
   * such SKU, or it has more than {@code rowsMax} of those rows.
   */
  Future<Optional<Audit>> audit(long skuId, int rowsMax);

  /**
   * The counters of a SKU while no transaction changes them, and the last row that there is then.
   * Whoever appends a row of the SKU holds the row of its bucket before, so with all buckets held
   * every row up to that one is committed, and any later one is above it. Empty where there is no
   * such SKU.
   */
  Future<Optional<Mark>> mark(long skuId);

  /** Adds the next rows of the SKU, {@code rowsMax} of them at most, to what was summed before. */
  Future<TxnSums> sum(Mark mark, TxnSums before, int rowsMax);

  /**
   * What the rows of a SKU up to one must add up to.
   *
   * @param lastTxnId the id of the last row that counts
   */
  record Mark(long skuId, long lastTxnId, long total, long held, long sold) {

    /** The sums of all rows beside these counters. */
    public Audit against(TxnSums sums) {
      return new Audit(skuId, sums.total(), sums.held(), sums.sold(), total, held, sold);
    }
  }
}
