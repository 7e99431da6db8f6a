package io.sluice.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of one order, applied by the owner of its partition. The order log carries the commands
 * of buyers and back office; time-outs and {@link Reject} are created by the owner.
 */
public sealed interface Command {

  /** The order that it changes; null if it is malformed. */
  @Nullable OrderToken token();

  /** The tokens of all lines of the order, as far as the command itself has them. */
  default List<OrderToken> tokens() {
    OrderToken own = token();
    return own == null ? List.of() : List.of(own);
  }

  /** Whether it takes units of its order out of the stock, which are not sold again. */
  default boolean withdraws() {
    return (this instanceof Refund refund && !refund.restock())
        || (this instanceof RefundPart part && !part.restock());
  }

  /** The number of lines of these commands, as far as they say it; at least one each. */
  static int linesOf(List<Command> commands) {
    int lines = 0;
    for (Command command : commands) {
      Cart cart = command instanceof OfGrant of ? of.grant().cart() : null;
      lines += cart == null ? 1 : cart.lines().size();
    }
    return lines;
  }

  /** What happens to a grant: it is booked or written off, with all lines of its order. */
  sealed interface OfGrant extends Command {
    /** That of the lead, of whichever line the command was made. */
    Grant grant();

    @Override
    default OrderToken token() {
      return grant().token();
    }

    @Override
    default List<OrderToken> tokens() {
      return grant().tokens();
    }
  }

  /**
   * Book this grant, with all lines of its order. Carries everything that booking needs, so that
   * Redis is not asked.
   *
   * @param grant that of the lead, of whichever line it was given
   * @param run the first {@link Limits#RUN_LENGTH} characters of the run id of the Redis process
   *     that granted it; null if that is not known
   */
  record Reserve(Grant grant, @Nullable String run, @Nullable String trace) implements OfGrant {
    public Reserve {
      grant = grant.lead();
    }

    /** The RESERVE of a grant whose Redis process is not known. */
    public Reserve(Grant grant, @Nullable String trace) {
      this(grant, null, trace);
    }
  }

  /**
   * The order was paid.
   *
   * @param paymentRef the shop's name for the payment, or null
   */
  record Confirm(OrderToken token, @Nullable String paymentRef) implements Command {
    /** A payment without a name. */
    public Confirm(OrderToken token) {
      this(token, null);
    }
  }

  /**
   * The buyer gets more time to pay, from the booking of this command on.
   *
   * @param seconds 1 to {@link Limits#EXTENSION_S_MAX}
   */
  record Extend(OrderToken token, int seconds) implements Command {}

  /** End the hold: by its buyer, its timeout or an operator. */
  record Cancel(OrderToken token, Reason reason) implements Command {}

  /**
   * Write off a grant that the ledger cannot book: its order is REJECTED from the start, and its
   * units are released. Never in the log; the sweep creates it if the ledger refuses a grant
   * because of its data. If its token can be the id of no row, it is dead-lettered instead.
   *
   * @param grant that of the lead, of whichever line it was given
   */
  record Reject(Grant grant, Reason reason) implements OfGrant {
    public Reject {
      grant = grant.lead();
    }
  }

  /**
   * The money of a confirmed order was paid back, or all that was left of it.
   *
   * @param restock whether its units are sold again; else they leave the stock
   */
  record Refund(OrderToken token, boolean restock) implements Command {
    /** A refund of units that are sold again. */
    public Refund(OrderToken token) {
      this(token, true);
    }
  }

  /**
   * A step of the refund of some units of a confirmed order.
   *
   * @param refundId unique among the refunds of its order
   * @param qty units that a REQUEST is about, 1 to {@link Limits#QTY_MAX}; else 0
   * @param skuId of the line that a REQUEST is about, if the order has several; 0 for its lead, and
   *     if it has one
   * @param restock whether units that a COMPLETE gives back are sold again; else they leave the
   *     stock. True of the other steps
   */
  record RefundPart(
      OrderToken token, String refundId, int qty, Step step, long skuId, boolean restock)
      implements Command {
    /** A step of a refund whose units are sold again. */
    public RefundPart(OrderToken token, String refundId, int qty, Step step, long skuId) {
      this(token, refundId, qty, step, skuId, true);
    }

    /** The same of an order of one SKU. */
    public RefundPart(OrderToken token, String refundId, int qty, Step step) {
      this(token, refundId, qty, step, 0);
    }

    /** The names are written into the log; do not rename them. */
    public enum Step {
      REQUEST,
      COMPLETE,
      REJECT
    }
  }

  /**
   * A command that cannot be applied because of its data. It is dead-lettered alone.
   *
   * @param raw its text in the log, cut to 4,096 characters
   * @param why "Expected ..., but ..."
   */
  record Malformed(String raw, String why) implements Command {
    @Override
    public @Nullable OrderToken token() {
      return null;
    }
  }
}
