package io.sluice.admin.sku;

import io.sluice.model.Sku;
import io.sluice.web.Problem;

/** What became of an operator's wish. */
sealed interface SkuOutcome {

  /**
   * It is done, and Redis shows it.
   *
   * @param created whether the SKU is new
   */
  record Done(Sku sku, boolean created) implements SkuOutcome {}

  /** It is not done, or not shown yet, for the reason that the problem says. */
  record No(Problem problem) implements SkuOutcome {}
}
