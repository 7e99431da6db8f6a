package io.sluice.ledger;

import io.sluice.model.BucketId;

/**
 * A row of the append-only ledger.
 *
 * @param token an order's token, or that of a restock and its bucket
 * @param qty units; negative if a restock takes back
 */
public record StockTxn(String token, BucketId bucket, long qty, Action action) {

  /** What happened to the units. The names are stored; do not rename them. */
  public enum Action {
    RESTOCK,
    HOLD,
    CONFIRM,
    CANCEL,
    REFUND
  }

  public static StockTxn restock(String restockToken, BucketId bucket, long units) {
    return new StockTxn(restockToken, bucket, units, Action.RESTOCK);
  }
}
