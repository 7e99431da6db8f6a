package io.sluice.owner.booking;

import io.sluice.model.Command;
import io.sluice.orderlog.LogBatch.LogRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The records of a partition that were polled and are not booked, in log order. */
final class LogQueue {

  /** Whole records that are booked in one transaction. */
  record Slice(List<LogRecord> records) {
    long endOffset() {
      return records.get(records.size() - 1).offset() + 1;
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

  /** Commands that wait, those of a slice that was taken not counted. */
  int commands() {
    return commands;
  }

  /** Whether something else than a grant waits: somebody may be waiting for what comes of it. */
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

  /** The first record, where this build cannot read it; or null. */
  @Nullable LogRecord unsupportedHead() {
    LogRecord head = records.peek();
    return head == null || head.supported() ? null : head;
  }

  /**
   * Takes records with about this many commands, at least one record; or null where there is none
   * that can be read.
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

  /** Puts a slice back where it was taken from, except what lies below this offset. */
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
