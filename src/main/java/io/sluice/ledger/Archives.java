package io.sluice.ledger;

import io.vertx.core.Future;

/**
 * Moves the orders of ended sales to the archive, and replaces the ids of buyers. Each call is one
 * bounded transaction, whose progress is committed with it: the next caller goes on. Part of {@link
 * Ledger}.
 */
public interface Archives {
  /** The maximum number of orders that one call moves. */
  int ORDERS_MAX = 5_000;

  /**
   * The maximum that it moves of a SKU that is in a later sale: bookings of that wait meanwhile,
   * some 10 ms.
   */
  int BESIDE_A_SALE_MAX = 200;

  /**
   * Moves the next orders of the SKU that waits longest. With the last ones, puts one row for each
   * bucket in the place of those of units that moved between buckets, unless the SKU is in a later
   * sale that runs. No order that has not ended is moved; a SKU that has such orders is looked at
   * again later. Orders of a sale that has ended are moved whatever the SKU is sold in now.
   *
   * @param ordersMax at most {@link #ORDERS_MAX}
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
}
