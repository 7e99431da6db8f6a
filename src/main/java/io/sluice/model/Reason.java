package io.sluice.model;

/** Why an order was canceled or rejected; the words are stored and shown as written here. */
public enum Reason {
  BUYER,
  TIMEOUT,
  OPERATOR,
  LEDGER_FULL,
  UNPROCESSABLE
}
