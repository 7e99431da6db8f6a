package io.sluice.bench.schemes;

import io.vertx.core.Future;

/** A way to sell stock, one per event loop. A failed Future is answered 503. */
interface Scheme {
  /** What a buyer hears. */
  enum Verdict {
    GRANTED,
    SOLD_OUT,
    /** Neither yes nor no: lost a race, or did not come to its turn. */
    CONFLICT
  }

  /**
   * A sale as the scheme's own stores have it.
   *
   * @param total units put on sale so far
   * @param deducted units that are no longer on sale
   * @param recorded orders that exist
   */
  record Books(long total, long deducted, long recorded) {}

  /** Puts more units on sale; the first time opens the sale. */
  Future<Void> restock(long skuId, long units);

  /** One unit for this buyer. */
  Future<Verdict> order(long skuId, String user);

  Future<Books> books(long skuId);
}
