package io.sluice.tracing;

import io.sluice.tracing.Span.Kind;

/** The steps of an order that are done for several orders at once. */
public enum BatchStep {
  RESERVE("redis reserve", Kind.CLIENT),
  APPEND("order log append", Kind.PRODUCER),
  BOOK_DIRECTLY("ledger book directly", Kind.CLIENT),
  APPLY("ledger apply", Kind.CLIENT),
  PUBLISH("event publish", Kind.PRODUCER),
  RELEASE("redis release", Kind.CLIENT);

  private final String spanName;
  private final Kind kind;

  BatchStep(String spanName, Kind kind) {
    this.spanName = spanName;
    this.kind = kind;
  }

  /** The name of its span in the trace of an order. */
  public String spanName() {
    return spanName;
  }

  /** The name of the span of the batch. */
  public String batchName() {
    return spanName + " batch";
  }

  Kind kind() {
    return kind;
  }
}
