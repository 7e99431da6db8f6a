package io.sluice.model;

import org.jspecify.annotations.Nullable;

/**
 * What is to be applied to one order, by the owner of its partition. The order log carries what
 * buyers and back office ask for; time-outs and {@link Reject} are the owner's own.
 */
public sealed interface Command {

  /** Book this grant. Carries all that is needed to do so without asking Redis. */
  record Reserve(Grant grant, @Nullable String trace) implements Command {}

  /** The order was paid. */
  record Confirm(OrderToken token) implements Command {}

  /** End the hold: by its buyer, its timeout or an operator. */
  record Cancel(OrderToken token, Reason reason) implements Command {}

  /**
   * Write off a grant that the ledger cannot book: an order that is REJECTED from the start, and
   * released. Never in the log; the sweep makes it where Redis holds a grant whose own data the
   * ledger refuses.
   */
  record Reject(Grant grant, Reason reason) implements Command {}

  /** The money of a confirmed order went back. */
  record Refund(OrderToken token) implements Command {}

  /**
   * A command that its own data makes impossible to apply. It is dead-lettered alone.
   *
   * @param raw what stood in the log, cut to 4,096 characters
   * @param why "Expected ..., but ..."
   */
  record Malformed(String raw, String why) implements Command {}
}
