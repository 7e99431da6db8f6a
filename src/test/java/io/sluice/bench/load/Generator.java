package io.sluice.bench.load;

/** Fires volleys. */
public interface Generator {
  /** What it is, for the report. */
  String name();

  /** Whether a request that is under way at the end of a volley may go without being counted. */
  boolean leavesSomeUnheard();

  /** Fires and waits for the end. */
  Heard fire(LoadSpec volley);
}
