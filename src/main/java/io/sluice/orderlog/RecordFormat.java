package io.sluice.orderlog;

import com.fasterxml.jackson.core.JsonFactory;

/** The format of a record of the order log, shared by writing and reading. */
final class RecordFormat {
  /** The version that this build writes. It reads this version and lower ones. */
  static final int VERSION = 1;

  /** A longer trace is dropped, rather than the order. */
  static final int TRACE_MAX = 128;

  /** Field names are a small fixed set, and interning them costs a lock. */
  static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  private RecordFormat() {}
}
