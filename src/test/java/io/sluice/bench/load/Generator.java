package io.sluice.bench.load;

/** Generates load. */
public interface Generator {
  /** Our own one where that is named or wrk is not installed, else wrk. */
  static Generator named(String name) {
    return name.equals("own")
        ? new OwnGenerator()
        : Wrk.find().<Generator>map(wrk -> wrk).orElseGet(OwnGenerator::new);
  }

  /** The name shown in the report. */
  String name();

  /** Whether requests in flight at the end of a volley may be sent without being counted. */
  boolean leavesSomeUnheard();

  /** Sends the volley and waits for its end. */
  Heard fire(LoadSpec volley);
}
