package io.sluice.orderlog;

import com.fasterxml.jackson.core.JsonFactory;

/** What writing and reading a record of the order log agree on. */
final class RecordFormat {
  /** The version that this build writes; it reads this one and lower ones. */
  static final int VERSION = 1;

  /** A longer trace is left out: it is not worth losing an order for. */
  static final int TRACE_MAX = 128;

  /** The names of commands come from a fixed set, and interning them costs a lock. */
  static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  private RecordFormat() {}
}
