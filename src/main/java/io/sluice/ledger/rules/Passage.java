package io.sluice.ledger.rules;

/** What the fence says to a step. */
public enum Passage {
  PASSED,
  /** The same step was committed before; its reply was lost. */
  ALREADY,
  LOST
}
