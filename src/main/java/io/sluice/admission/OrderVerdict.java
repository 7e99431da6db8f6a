package io.sluice.admission;

/** The answer of the limits to a request for an order. */
public sealed interface OrderVerdict {
  /** Admitted, and counted nowhere: the limit is off, or cannot say more. */
  OrderVerdict FREE = new Free();

  /** See {@link #FREE}. */
  record Free() implements OrderVerdict {}

  /** Admitted, and counted nowhere: a retry. */
  OrderVerdict REPEATED = new Repeated();

  /** See {@link #REPEATED}. */
  record Repeated() implements OrderVerdict {}

  /** Admitted and counted. */
  record Counted(long id, long key) implements OrderVerdict {}

  /** Refused. */
  record Over(Excess excess) implements OrderVerdict {}
}
