package io.sluice.model;

/**
 * Why a request for an order was refused. The problem name is the problem type of the answer and
 * the metric tag. A refusal leaves no trace: the same request may succeed later. The first two are
 * answered with 503 and leave the outcome unknown; repeating the request with the same key shows
 * it.
 */
public enum Refusal {
  UNAVAILABLE("unavailable"),
  BUSY("busy"),
  UNKNOWN_SKU("unknown-sku"),
  NOT_TOGETHER("not-together"),
  TICKET_REQUIRED("ticket-required"),
  TOO_EARLY("too-early"),
  KEY_MISMATCH("key-mismatch"),
  ORDER_ENDED("order-ended"),
  NOT_OPEN("not-open"),
  LIMIT_REACHED("limit-reached"),
  SOLD_OUT("sold-out");

  private final String problem;

  Refusal(String problem) {
    this.problem = problem;
  }

  /** The last segment of the problem type, e.g. {@code sold-out}. */
  public String problem() {
    return problem;
  }
}
