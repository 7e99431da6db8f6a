package io.sluice.ledger;

import java.util.List;

/**
 * The sums of the append-only rows alone, as in {@code inventory_view}, and the counters.
 *
 * @param buckets the number of the SKU's buckets
 * @param countersHeld the sum of held over the buckets, likewise the others; must equal the view's
 */
public record Audit(
    long skuId,
    int buckets,
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

  /**
   * The counters that the rows of a SKU, up to these writes, must add up to.
   *
   * @param writes by bucket, the last write whose rows count
   * @param archived how many rows of the SKU were moved to the archive, or folded there
   */
  public record Mark(
      long skuId, List<Long> writes, long total, long held, long sold, long archived) {

    /** Compares the sums of all rows with these counters. */
    public Audit against(TxnSums sums) {
      return new Audit(
          skuId, writes.size(), sums.total(), sums.held(), sums.sold(), total, held, sold);
    }
  }

  /**
   * Sums over the append-only rows of a SKU that were read so far. Rows are read kind by kind, each
   * in the order of its key.
   *
   * @param total units stocked, as {@code inventory_view} sums them; likewise held and sold
   * @param complete whether there are no more rows
   */
  public record TxnSums(long total, long held, long sold, Place after, boolean complete) {
    /** The sums before anything was read. */
    public static final TxnSums NONE = new TxnSums(0, 0, 0, Place.beginOf(Kind.RESTOCK), false);

    /** The kinds of rows, in the order in which they are read. */
    public enum Kind {
      RESTOCK,
      HOLD,
      MOVE,
      /** The sums of rows that are in the archive. */
      ARCHIVE
    }

    /**
     * The row that was read last.
     *
     * @param token of a restock's row; the other values are those of an order's row
     */
    public record Place(Kind kind, String token, int bucket, long epoch, long seq, int step) {
      /** Before all rows of this kind. */
      public static Place beginOf(Kind kind) {
        return new Place(kind, "", -1, 0, 0, 0);
      }
    }

    /**
     * Adds rows of one action.
     *
     * @param units of all of these rows together
     */
    public TxnSums plus(StockTxn.Action action, long units) {
      return switch (action) {
        case RESTOCK -> new TxnSums(total + units, held, sold, after, complete);
        case HOLD -> new TxnSums(total, held + units, sold, after, complete);
        case CONFIRM -> new TxnSums(total, held - units, sold + units, after, complete);
        case CANCEL -> new TxnSums(total, held - units, sold, after, complete);
        case REFUND -> new TxnSums(total, held, sold - units, after, complete);
      };
    }

    public TxnSums upTo(Place place) {
      return new TxnSums(total, held, sold, place, complete);
    }

    public TxnSums completed() {
      return new TxnSums(total, held, sold, after, true);
    }
  }
}
