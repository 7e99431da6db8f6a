package io.sluice.model;

/**
 * A refund of an order, or of a part of it.
 *
 * @param id unique among the refunds of its order
 * @param qty units
 * @param skuId of the line that it is about, if its order has several and is looked at as a whole;
 *     else 0
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
