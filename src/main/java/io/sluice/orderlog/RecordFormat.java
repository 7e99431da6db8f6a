package io.sluice.orderlog;

import com.fasterxml.jackson.core.JsonFactory;
import io.sluice.model.Command;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The format of a record of the order log, shared by writing and reading. */
final class RecordFormat {
  /**
   * The highest version that this build reads. Version 2: a RESERVE may have sale_no, run and
   * reference, which an owner of version 1 would drop. Version 3: a CONFIRM may have payment_ref,
   * and there are EXTEND and REFUND_PART.
   */
  static final int VERSION = 3;

  /** Of records without anything of a later version, so that owners of the release before go on. */
  static final int PLAIN_VERSION = 2;

  /** A longer trace is dropped, rather than the order. */
  static final int TRACE_MAX = 128;

  /** Field names are a small fixed set, and interning them costs a lock. */
  static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  private RecordFormat() {}

  /** The version of a record of these commands. */
  static int versionOf(List<Command> commands) {
    return commands.stream().anyMatch(RecordFormat::isOfVersion3) ? VERSION : PLAIN_VERSION;
  }

  private static boolean isOfVersion3(Command command) {
    return command instanceof Command.Extend
        || command instanceof Command.RefundPart
        || (command instanceof Command.Confirm confirm && confirm.paymentRef() != null);
  }

  static boolean isTrace(@Nullable String trace) {
    return trace != null && trace.length() <= TRACE_MAX;
  }
}
