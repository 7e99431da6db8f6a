package io.sluice.model;

/** The status of an order. The names are stored and part of the API; do not rename them. */
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
