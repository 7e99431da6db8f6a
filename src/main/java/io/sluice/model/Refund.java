package io.sluice.model;

/**
 * A refund of an order, or of a part of it.
 *
 * @param id unique among the refunds of its order
 * @param qty units
 */
public record Refund(String id, int qty, State state) {

  /** How far it is. Units come back once it is completed. The names are part of the API. */
  public enum State {
    REQUESTED,
    COMPLETED,
    REJECTED
  }

  /** The same refund, completed or rejected. */
  public Refund in(State ended) {
    return new Refund(id, qty, ended);
  }
}
