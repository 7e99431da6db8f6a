package io.sluice.orderlog;

import io.sluice.model.Command;
import io.vertx.core.Future;
import java.util.List;

/** The durable log of commands, one partition of it per owner; docs/design.md section 6. */
public interface OrderLog {

  /**
   * Appends the commands as one record and waits for the ack of all in-sync replicas.
   *
   * @return the record's offset; failed means unknown: the record may be in the log, or come to be
   */
  Future<Long> append(int partition, List<Command> commands);

  /**
   * Whether an append to this partition is worth a try, as far as is known without asking. Says yes
   * again by itself, now and then at least, so that nobody else has to probe.
   */
  boolean takes(int partition);

  /**
   * The offset that the next record of this partition will have; failed where the log cannot be
   * read.
   */
  Future<Long> endOffset(int partition);

  /** The first offset that this partition still holds; failed where the log cannot be read. */
  Future<Long> beginOffset(int partition);
}
