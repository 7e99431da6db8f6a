package io.sluice.bench.load;

/** Generates load. */
public interface Generator {
  /** The name shown in the report. */
  String name();

  /** Whether requests in flight at the end of a volley may be sent without being counted. */
  boolean leavesSomeUnheard();

  /** Sends the volley and waits for its end. */
  Heard fire(LoadSpec volley);
}
