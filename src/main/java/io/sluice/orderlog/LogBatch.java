package io.sluice.orderlog;

import io.sluice.model.Command;
import java.util.List;

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
   */
  public record LogRecord(
      long offset, long appendedAtMs, boolean supported, List<Command> commands) {}
}
