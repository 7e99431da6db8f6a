package io.sluice.owner.booking;

import io.sluice.model.Command;
import io.sluice.orderlog.LogBatch.LogRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The records of a partition that were polled and are not booked yet, in log order. */
final class LogQueue {

  /** Whole records that are booked in one transaction. */
  record Slice(List<LogRecord> records) {
    long endOffset() {
      return records.get(records.size() - 1).offset() + 1;
    }

    long appendedAtMs() {
      return records.get(0).appendedAtMs();
    }

    List<Command> commands() {
      List<Command> all = new ArrayList<>();
      records.forEach(entry -> all.addAll(entry.commands()));
      return all;
    }
  }

  private final Deque<LogRecord> records = new ArrayDeque<>();
  private int commands;
  private int grants;

  /** The number of queued commands, without those of a slice that was taken. */
  int commands() {
    return commands;
  }

  /** When the first record was appended; 0 if there is none, or that is not known. */
  long oldestMs() {
    LogRecord head = records.peek();
    return head == null ? 0 : head.appendedAtMs();
  }

  /** Whether a command other than a grant is queued; a caller may wait for its outcome. */
  boolean holdsMoreThanGrants() {
    return commands > grants;
  }

  void add(LogRecord entry) {
    records.add(entry);
    count(entry, 1);
  }

  private void count(LogRecord entry, int sign) {
    commands += sign * entry.commands().size();
    for (Command command : entry.commands()) {
      grants += command instanceof Command.Reserve ? sign : 0;
    }
  }

  /** The first record, if this build cannot read its version; else null. */
  @Nullable LogRecord unsupportedHead() {
    LogRecord head = records.peek();
    return head == null || head.supported() ? null : head;
  }

  /**
   * Takes records with about this many commands, at least one record. Null if there is none that
   * this build can read.
   */
  @Nullable Slice take(int commandsMax) {
    List<LogRecord> taken = new ArrayList<>();
    int size = 0;
    for (LogRecord head = records.peek();
        head != null && head.supported() && size < commandsMax;
        head = records.peek()) {
      taken.add(records.remove());
      count(head, -1);
      size += head.commands().size();
    }
    return taken.isEmpty() ? null : new Slice(taken);
  }

  /**
   * Returns the records of a slice to the head of the queue, except those below {@code fromOffset}.
   */
  void giveBack(Slice slice, long fromOffset) {
    List<LogRecord> backwards = new ArrayList<>(slice.records());
    Collections.reverse(backwards);
    for (LogRecord entry : backwards) {
      if (entry.offset() >= fromOffset) {
        records.addFirst(entry);
        count(entry, 1);
      }
    }
    while (!records.isEmpty() && records.element().offset() < fromOffset) {
      count(records.remove(), -1);
    }
  }
}
