package io.sluice.model;

/** Where an order is in its life; the words are stored and shown as written here. */
public enum OrderStatus {
  RESERVED,
  PENDING,
  REJECTED,
  CONFIRMED,
  CANCELED,
  REFUNDED;

  /** Whether an order in this status occupies units of the ledger (held or sold). */
  public boolean isLive() {
    return this == PENDING || this == CONFIRMED;
  }
}
