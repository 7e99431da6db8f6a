package io.sluice.ledger;

import io.sluice.ledger.SkuLedger.Audit;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Compares the append-only rows of a SKU with its counters: a SKU of few rows in one snapshot, one
 * of many in slices. Failures as in {@link Ledger}.
 */
public interface Audits {

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

  /**
   * The counters that the rows of a SKU, up to these writes, must add up to.
   *
   * @param writes by bucket, the last write whose rows count
   * @param archived how many rows of the SKU were moved to the archive, or folded there
   */
  record Mark(long skuId, List<Long> writes, long total, long held, long sold, long archived) {

    /** Compares the sums of all rows with these counters. */
    public Audit against(TxnSums sums) {
      return new Audit(
          skuId, writes.size(), sums.total(), sums.held(), sums.sold(), total, held, sold);
    }
  }
}
