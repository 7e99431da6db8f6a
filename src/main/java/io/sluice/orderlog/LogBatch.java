package io.sluice.orderlog;

import io.sluice.model.Command;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whole records of one partition, as polled.
 *
 * @param firstOffset offset of the first record
 * @param endOffset offset after the last record
 * @param records the commands of each record, in log order
 */
public record LogBatch(int partition, long firstOffset, long endOffset, List<LogRecord> records) {

  /**
   * One record.
   *
   * @param offset its offset in the partition
   * @param appendedAtMs when it was appended, on the clock of whoever did; 0 where that is not
   *     known
   * @param supported false where its version is higher than this build reads; the partition is
   *     blocked at this record
   * @param instance the id of the instance that appended it; null where the record does not say
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
