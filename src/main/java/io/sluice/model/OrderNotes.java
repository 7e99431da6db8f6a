package io.sluice.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The notes of an order besides its status: payments, extensions, refunds. An order that was
 * received as an event has only what answers show: its payment, and how much was refunded.
 *
 * @param count how many rows of the ledger say so, besides the order's moves; each raises the
 *     version of the order
 * @param extended whether its time to pay was extended
 * @param paymentRef the first payment that was named, or null
 * @param payments all payments that were named, at most {@link #PAYMENTS_MAX}
 * @param refunds by their ids, at most {@link #REFUNDS_MAX}
 * @param refundedQty units that are paid back
 * @param withdrawnQty those of them that have left the stock; not told by events
 */
public record OrderNotes(
    int count,
    boolean extended,
    @Nullable String paymentRef,
    Set<String> payments,
    Map<String, Refund> refunds,
    int refundedQty,
    int withdrawnQty) {
  /** Further payments of an order are answered, but not recorded. */
  public static final int PAYMENTS_MAX = 100;

  public static final int REFUNDS_MAX = 64;

  /** Notes with which an order takes no further extension; other kinds have limits of their own. */
  public static final int EXTENSIONS_MAX = 1_000;

  /** Of an order of which nothing was recorded. */
  public static final OrderNotes NONE = new OrderNotes(0, false, null, Set.of(), Map.of(), 0, 0);

  public OrderNotes {
    payments = Set.copyOf(payments);
    refunds = Map.copyOf(refunds);
  }

  /** The notes that answers show of an order. */
  public static OrderNotes shown(@Nullable String paymentRef, int refundedQty) {
    return paymentRef == null && refundedQty == 0
        ? NONE
        : NONE.withPayment(paymentRef).withRefunded(refundedQty);
  }

  public boolean takesNoExtension() {
    return count >= EXTENSIONS_MAX;
  }

  /** Whether a further payment is answered, but not recorded. */
  public boolean takesNoPayment() {
    return payments.size() >= PAYMENTS_MAX;
  }

  public boolean knowsPayment(String ref) {
    return payments.contains(ref);
  }

  /** Units whose refund is requested, and neither completed nor rejected. */
  public int requestedQty() {
    return requestedQty(0);
  }

  /**
   * The same of one line.
   *
   * @param skuId of the line, if these are the notes of a whole of several; else 0
   */
  int requestedQty(long skuId) {
    return refunds.values().stream()
        .filter(refund -> refund.state() == Refund.State.REQUESTED && refund.skuId() == skuId)
        .mapToInt(Refund::qty)
        .sum();
  }

  /** These notes and one row more. */
  public OrderNotes counted() {
    return new OrderNotes(
        count + 1, extended, paymentRef, payments, refunds, refundedQty, withdrawnQty);
  }

  /** Once the time to pay was extended. */
  public OrderNotes withExtension() {
    return new OrderNotes(count, true, paymentRef, payments, refunds, refundedQty, withdrawnQty);
  }

  /** Once this payment was named; null for none. */
  public OrderNotes withPayment(@Nullable String ref) {
    if (ref == null || knowsPayment(ref)) {
      return this;
    }
    Set<String> more = new HashSet<>(payments);
    more.add(ref);
    String first = paymentRef == null ? ref : paymentRef;
    return new OrderNotes(count, extended, first, more, refunds, refundedQty, withdrawnQty);
  }

  /**
   * Once a refund is in this state. A request that is read after its end changes nothing, so rows
   * may be taken in any order.
   */
  public OrderNotes with(Refund refund) {
    Map<String, Refund> more = new HashMap<>(refunds);
    more.merge(
        refund.id(),
        refund,
        (known, told) -> told.state() == Refund.State.REQUESTED ? known : told);
    return new OrderNotes(count, extended, paymentRef, payments, more, refundedQty, withdrawnQty);
  }

  /** Once so many units more are paid back. */
  public OrderNotes withRefunded(int units) {
    return new OrderNotes(
        count, extended, paymentRef, payments, refunds, refundedQty + units, withdrawnQty);
  }

  /** Once so many units more have left the stock. */
  public OrderNotes withWithdrawn(int units) {
    return new OrderNotes(
        count, extended, paymentRef, payments, refunds, refundedQty, withdrawnQty + units);
  }

  /**
   * A refund of an order, or of a part of it.
   *
   * @param id unique among the refunds of its order
   * @param qty units
   * @param skuId of the line that it is about, if its order has several and is looked at as a
   *     whole; else 0
   */
  public record Refund(String id, int qty, State state, long skuId) {
    /** A refund of an order of one SKU. */
    public Refund(String id, int qty, State state) {
      this(id, qty, state, 0);
    }

    /** How far it is. Units come back once it is completed. The names are part of the API. */
    public enum State {
      REQUESTED,
      COMPLETED,
      REJECTED
    }

    /** The same refund, completed or rejected. */
    public Refund in(State ended) {
      return new Refund(id, qty, ended, skuId);
    }

    /** The same refund, as one of a line of an order of several SKUs. */
    Refund of(long line) {
      return new Refund(id, qty, state, line);
    }
  }
}
