package io.sluice.orderlog;

import com.fasterxml.jackson.core.JsonFactory;
import org.jspecify.annotations.Nullable;

/** The format of a record of the order log, shared by writing and reading. */
final class RecordFormat {
  /**
   * The version that this build writes. It reads this version and lower ones. Version 2: a RESERVE
   * may have sale_no, run and reference, which an owner of version 1 would drop.
   */
  static final int VERSION = 2;

  /** A longer trace is dropped, rather than the order. */
  static final int TRACE_MAX = 128;

  /** Field names are a small fixed set, and interning them costs a lock. */
  static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  private RecordFormat() {}

  static boolean isTrace(@Nullable String trace) {
    return trace != null && trace.length() <= TRACE_MAX;
  }
}
