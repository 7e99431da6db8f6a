package io.sluice.model;

/**
 * Why a request for an order was refused. The problem name is the problem type of the answer and
 * the metric tag. A refusal leaves no trace: the same request may succeed later. The first two are
 * answered with 503 and leave the outcome unknown; repeating the request with the same key shows
 * it.
 */
public enum Refusal {
  UNAVAILABLE(ProblemType.UNAVAILABLE),
  BUSY(ProblemType.BUSY),
  UNKNOWN_SKU(ProblemType.UNKNOWN_SKU),
  NOT_TOGETHER(ProblemType.NOT_TOGETHER),
  TICKET_REQUIRED(ProblemType.TICKET_REQUIRED),
  TOO_EARLY(ProblemType.TOO_EARLY),
  KEY_MISMATCH(ProblemType.KEY_MISMATCH),
  ORDER_ENDED(ProblemType.ORDER_ENDED),
  NOT_OPEN(ProblemType.NOT_OPEN),
  LIMIT_REACHED(ProblemType.LIMIT_REACHED),
  SOLD_OUT(ProblemType.SOLD_OUT);

  private final ProblemType type;

  Refusal(ProblemType type) {
    this.type = type;
  }

  /** The problem that it is answered with. */
  public ProblemType type() {
    return type;
  }

  /** The last segment of the problem type, e.g. {@code sold-out}. */
  public String problem() {
    return type.word();
  }
}
