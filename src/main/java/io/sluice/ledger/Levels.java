package io.sluice.ledger;

import io.vertx.core.Future;

/**
 * The levels that the instances of a ledger understand. A record of a higher version makes an older
 * owner wait, but its rows in the ledger do not. An owner of a release before would time an order
 * out that was extended. None of its instances could read a SKU in a state that it does not know.
 * So no such thing is written before every instance is of its level, and none of a lower level
 * starts after that.
 */
public interface Levels {
  /** Extensions, refunds in part, names of payments. Level 2 is that of releases that have none. */
  int NOTES = 3;

  /** SKUs that end. */
  int ENDS = 4;

  /** Units that move between buckets. */
  int MOVES = 5;

  /** SKUs that sell in the ledger alone. */
  int DIRECT = 5;

  /** Orders of several SKUs. */
  int CARTS = 5;

  /**
   * Buckets that count the entries of their keys, events that are signed, ids of buyers with any
   * visible character, restock ids of one sale each, buyers who are forgotten with all names of
   * their orders.
   */
  int CHECKED = 6;

  /** Of this release. */
  int LEVEL = 6;

  /**
   * Raises the ledger to a level, unless instances of a lower one may still run; returns whether it
   * is of this level, or of a higher one, now. Once it is, it stays so.
   */
  Future<Boolean> raise(int level);

  /** Whether the ledger is of a level, or of a higher one. */
  default Future<Boolean> isOf(int level) {
    return Future.succeededFuture(false);
  }
}
