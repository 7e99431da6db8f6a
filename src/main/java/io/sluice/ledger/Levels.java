package io.sluice.ledger;

import io.vertx.core.Future;

/**
 * What the owners of a ledger understand. A record of a higher version makes an older owner wait,
 * but what it has left in the ledger does not: an owner of the release before would time an order
 * out that was extended, and take one that is refunded in part for one without units. So no such
 * thing is written before every instance is of this level, and none of a lower level starts after
 * that.
 */
public interface Levels {
  /** Of this release. Level 2 is that of releases that have none. */
  int LEVEL = 3;

  /**
   * Raises the ledger to this level, unless instances of a lower one may still run; returns whether
   * it is raised now. Once it is, it stays so.
   */
  Future<Boolean> raise();
}
