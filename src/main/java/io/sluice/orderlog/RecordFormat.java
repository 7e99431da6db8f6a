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
   * and there are EXTEND and REFUND_PART. Version 4: there is RESERVE_CART, and a REFUND_PART may
   * be about a line.
   */
  static final int VERSION = 4;

  /** Of records without anything of version 4. */
  static final int VERSION_WITHOUT_CARTS = 3;

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
    int version = PLAIN_VERSION;
    for (Command command : commands) {
      if (isOfVersion4(command)) {
        return VERSION;
      }
      if (isOfVersion3(command)) {
        version = VERSION_WITHOUT_CARTS;
      }
    }
    return version;
  }

  private static boolean isOfVersion4(Command command) {
    return (command instanceof Command.Reserve reserve && reserve.grant().cart() != null)
        || (command instanceof Command.RefundPart part && part.skuId() != 0);
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
