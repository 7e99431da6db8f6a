package io.sluice.orderlog;

import io.sluice.model.Command;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a poll for one partition: whole records, and the offsets that are for no reader.
 * Offsets need not be dense; a transaction of another program leaves a marker that nobody is given.
 *
 * @param firstOffset where the partition was read from: nothing between the batch before and this
 *     one is missing if this is where that one ended
 * @param endOffset where it is read next; nothing that a reader is given is between the last record
 *     and this
 * @param records the commands of each record, in log order; empty if only offsets were passed
 */
public record LogBatch(int partition, long firstOffset, long endOffset, List<LogRecord> records) {

  /**
   * The records, and, if the last one is not at the end, one without commands that is: booking it
   * passes what is for no reader.
   */
  public List<LogRecord> toTheEnd() {
    boolean isAtTheEnd =
        !records.isEmpty() && records.get(records.size() - 1).offset() == endOffset - 1;
    if (isAtTheEnd || endOffset == firstOffset) {
      return records;
    }
    List<LogRecord> all = new ArrayList<>(records);
    all.add(new LogRecord(endOffset - 1, 0, true, List.of()));
    return all;
  }

  /**
   * One record.
   *
   * @param offset its offset in the partition
   * @param appendedAtMs when it was appended, on the clock of the machine that did it; 0 if that is
   *     not known
   * @param supported false if its version is higher than this build reads; the partition is blocked
   *     at this record
   * @param instance the id of the instance that appended it; null if the record does not say
   */
  public record LogRecord(
      long offset,
      long appendedAtMs,
      boolean supported,
      List<Command> commands,
      @Nullable String instance) {
    /** A record that does not say who appended it. */
    public LogRecord(long offset, long appendedAtMs, boolean supported, List<Command> commands) {
      this(offset, appendedAtMs, supported, commands, null);
    }
  }
}
