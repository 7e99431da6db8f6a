package io.sluice.admin;

import io.sluice.model.Sku;
import io.sluice.web.problem.Problem;
import java.util.List;

/** The outcome of an operator's change. */
sealed interface SkuOutcome {

  /** The change is recorded, and Redis shows it. */
  record Done(Sku sku) implements SkuOutcome {}

  /**
   * The same of a PUT.
   *
   * @param created whether the SKU is new
   * @param changed the fields that have other values than before; of one that is not new
   */
  record Put(Sku sku, boolean created, List<String> changed) implements SkuOutcome {}

  /** The change is recorded, and is being made: it goes on by itself. */
  record Later(Sku sku) implements SkuOutcome {}

  /** The change is refused, or Redis does not show it yet; the problem says which. */
  record No(Problem problem) implements SkuOutcome {}
}
