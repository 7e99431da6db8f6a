package io.sluice.model;

/**
 * Why an order was canceled or rejected. The names are stored and part of the API; do not rename
 * them.
 */
public enum Reason {
  BUYER,
  TIMEOUT,
  OPERATOR,
  LEDGER_FULL,
  UNPROCESSABLE
}
