package io.sluice.ledger.rules;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Step;

/** The result of checking a step against the fence. */
public enum FenceCheck {
  PASSED,
  /** The same step was committed before, and its reply was lost. */
  ALREADY,
  LOST;

  /**
   * @param now the fence of the step's partition as it is
   */
  public static FenceCheck of(Step step, Fence now) {
    if (now.term() != step.term() || now.nextOffset() < step.beginOffset()) {
      return LOST;
    }
    if (!step.advances() || now.nextOffset() == step.beginOffset()) {
      return PASSED;
    }
    return now.nextOffset() == step.endOffset() ? ALREADY : LOST;
  }
}
