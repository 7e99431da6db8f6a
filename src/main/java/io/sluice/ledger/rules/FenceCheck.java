package io.sluice.ledger.rules;

/** The result of checking a step against the fence. */
public enum FenceCheck {
  PASSED,
  /** The same step was committed before, and its reply was lost. */
  ALREADY,
  LOST
}
