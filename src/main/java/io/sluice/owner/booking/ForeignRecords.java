package io.sluice.owner.booking;

import io.sluice.alarm.Alarm;
import io.sluice.async.Timers;
import io.sluice.model.Command;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.owner.fencing.Ownership;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises an alarm if another program writes to the order log. An offset without a record is the
 * marker of a transaction, and no instance uses any. A record that cannot be read and names no
 * instance is of none. All of it is passed.
 */
final class ForeignRecords {
  static final Duration ALARM_EVERY = Duration.ofMinutes(10);
  private static final Logger log = LoggerFactory.getLogger(ForeignRecords.class);

  private final Ownership ownership;
  private final Timers timers;
  private long records;
  private long markers;
  private boolean rests;

  ForeignRecords(Ownership ownership, Timers timers) {
    this.ownership = ownership;
    this.timers = timers;
  }

  /**
   * Looks at a batch.
   *
   * @param expected all offsets below were looked at before
   */
  void look(LogBatch batch, long expected) {
    long end = batch.endOffset();
    if (end <= expected) {
      return;
    }
    long fresh = batch.records().stream().filter(entry -> entry.offset() >= expected).count();
    markers += end - Math.max(expected, batch.firstOffset()) - fresh;
    records +=
        batch.records().stream()
            .filter(entry -> entry.offset() >= expected && isForeign(entry))
            .count();
    raise();
  }

  private static boolean isForeign(LogRecord entry) {
    return entry.instance() == null
        && entry.commands().stream().anyMatch(command -> command instanceof Command.Malformed);
  }

  private void raise() {
    if (rests || records + markers == 0) {
      return;
    }
    rests = true;
    Alarm.FOREIGN_RECORD.raise(
        ownership
            .about(log.atError())
            .addKeyValue("records", records)
            .addKeyValue("markers", markers));
    records = 0;
    markers = 0;
    timers
        .after(ALARM_EVERY)
        .onSuccess(
            now -> {
              rests = false;
              raise();
            });
  }
}
