package io.sluice.ledger;

/**
 * Sums over the append-only rows of a SKU that were read so far. Rows are read by action, units and
 * id, in the order of one index.
 *
 * @param total units stocked, as {@code inventory_view} sums them; likewise held and sold
 * @param complete whether there are no more rows
 */
public record TxnSums(long total, long held, long sold, Place after, boolean complete) {
  /** The sums before anything was read. */
  public static final TxnSums NONE = new TxnSums(0, 0, 0, new Place("", 0, 0), false);

  /** The row that was read last. */
  public record Place(String action, long qty, long id) {}

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
