package io.sluice.stock;

import io.sluice.model.Grant;

/**
 * The record of a token in a store.
 *
 * @param left units that it occupies: those of the grant, except what was refunded in part; 0 once
 *     its order has ended
 * @param withdrawn units of it that have left the stock, and are counted as taken; 0 once its order
 *     has ended
 * @param unbooked granted but not yet known to be in the ledger; implies live
 */
public record Recorded(Grant grant, int left, int withdrawn, boolean unbooked) {

  /** A grant of which nothing has left the stock. */
  public Recorded(Grant grant, int left, boolean unbooked) {
    this(grant, left, 0, unbooked);
  }

  /** A grant of which nothing was refunded in part. */
  public Recorded(Grant grant, boolean live, boolean unbooked) {
    this(grant, live ? grant.qty() : 0, unbooked);
  }

  /** False once its order has ended. */
  public boolean live() {
    return left > 0;
  }
}
