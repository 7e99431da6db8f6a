package io.sluice.bench.schemes;

import io.vertx.core.Future;

/** A way to sell stock; one instance per event loop. A failed Future is answered with 503. */
interface Scheme {
  /** The answer to a buyer. */
  enum Verdict {
    GRANTED,
    SOLD_OUT,
    /** Neither yes nor no: lost a race, or did not get the lock in time. */
    CONFLICT
  }

  /**
   * The state of a sale in the scheme's own stores.
   *
   * @param total units put on sale so far
   * @param deducted units that are no longer on sale
   * @param recorded orders that exist
   */
  record Books(long total, long deducted, long recorded) {}

  /** Puts more units on sale; the first call opens the sale. */
  Future<Void> restock(long skuId, long units);

  /** Orders one unit for this buyer. */
  Future<Verdict> order(long skuId, String user);

  Future<Books> books(long skuId);
}
