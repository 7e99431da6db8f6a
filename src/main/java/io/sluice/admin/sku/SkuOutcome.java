package io.sluice.admin.sku;

import io.sluice.model.Sku;
import io.sluice.web.problem.Problem;

/** The outcome of an operator's change. */
sealed interface SkuOutcome {

  /**
   * The change is recorded, and Redis shows it.
   *
   * @param created whether the SKU is new
   */
  record Done(Sku sku, boolean created) implements SkuOutcome {}

  /** The SKU has begun to end, and its owners go on with that. */
  record Ending(Sku sku) implements SkuOutcome {}

  /** The change is recorded, and is being made: it goes on by itself. */
  record Later(Sku sku) implements SkuOutcome {}

  /** The change is refused, or Redis does not show it yet; the problem says which. */
  record No(Problem problem) implements SkuOutcome {}
}
