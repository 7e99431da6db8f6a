package io.sluice.ledger.rules;

import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Outbox rows that stand for many entries: a batch leaves one for each type of event and one for
 * its releases, which are marked as a whole. The payload is a JSON array with an entry on each
 * line, so that it is taken apart without being parsed.
 */
public final class OutboxList {
  /** The maximum number of entries in a row. */
  public static final int ENTRIES_MAX = 500;

  /** A row takes no further entry once it has this many characters. */
  static final int CHARS_MAX = 256 * 1_024;

  /** No entry contains a line break: in a text it is written as an escape. */
  private static final String SEPARATOR = ",\n";

  private static final int BEFORE_ALL = -1;

  private OutboxList() {}

  /** Events that an order may have several times, and in any order with other possible ones. */
  private static final Set<EventType> REPEATED =
      EnumSet.of(
          EventType.PAYMENT_REFERENCED,
          EventType.PAYMENT_DOUBLE,
          EventType.REFUND_REQUESTED,
          EventType.REFUND_REJECTED,
          EventType.REFUND_COMPLETED);

  /** The events that an order may have before and after these. */
  private static final Set<EventType> AMONG_REPEATED =
      EnumSet.of(EventType.ORDER_REFUNDED, EventType.PAYMENT_LATE, EventType.STOCK_RETURNED);

  /**
   * Combines the drafts of one batch into few. The events of one order stay in their order: the
   * types are in the order in which an order can pass through them. If a batch has events that may
   * be repeated, these and all that can come before or after them stay in the order of the batch.
   * Lines of an order may be in several partitions, each of which has its own releases.
   */
  public static List<OutboxDraft> combined(List<OutboxDraft> drafts) {
    boolean keepsOrder = drafts.stream().anyMatch(draft -> isOf(draft, REPEATED));
    List<OutboxDraft> inOrder = new ArrayList<>();
    Map<Integer, List<OutboxDraft>> events = new TreeMap<>();
    Map<Integer, List<OutboxDraft>> releases = new TreeMap<>();
    List<OutboxDraft> single = new ArrayList<>();
    for (OutboxDraft draft : drafts) {
      if (keepsOrder && (isOf(draft, REPEATED) || isOf(draft, AMONG_REPEATED))) {
        inOrder.add(draft);
      } else if (draft.kind() == OutboxKind.EVENT) {
        events.computeIfAbsent(rank(draft.eventType()), type -> new ArrayList<>()).add(draft);
      } else if (draft.kind() == OutboxKind.RELEASE) {
        releases.computeIfAbsent(draft.partition(), here -> new ArrayList<>()).add(draft);
      } else {
        single.add(draft);
      }
    }
    List<OutboxDraft> rows = new ArrayList<>();
    events.values().forEach(ofType -> addRows(rows, ofType));
    addRuns(rows, inOrder);
    releases.values().forEach(ofPartition -> addRows(rows, ofPartition));
    rows.addAll(single);
    return rows;
  }

  /** The grant of an older epoch is dropped before the order is booked in the current one. */
  private static int rank(String type) {
    EventType known = EventType.valueOf(type);
    return known == EventType.STALE_GRANT_DROPPED ? BEFORE_ALL : known.ordinal();
  }

  private static boolean isOf(OutboxDraft draft, Set<EventType> types) {
    return draft.kind() == OutboxKind.EVENT && types.contains(EventType.valueOf(draft.eventType()));
  }

  /** A row for each run of events of one type. */
  private static void addRuns(List<OutboxDraft> rows, List<OutboxDraft> events) {
    for (int from = 0; from < events.size(); ) {
      int end = from + 1;
      while (end < events.size()
          && events.get(end).eventType().equals(events.get(from).eventType())) {
        end++;
      }
      addRows(rows, events.subList(from, end));
      from = end;
    }
  }

  private static void addRows(List<OutboxDraft> rows, List<OutboxDraft> entries) {
    for (int from = 0; from < entries.size(); ) {
      StringBuilder payload = new StringBuilder("[");
      int end = from;
      while (end < entries.size()
          && end - from < ENTRIES_MAX
          && (end == from || payload.length() < CHARS_MAX)) {
        payload.append(end == from ? "" : SEPARATOR).append(entries.get(end).payload());
        end++;
      }
      OutboxDraft first = entries.get(from);
      rows.add(
          new OutboxDraft(
              first.partition(), first.kind(), first.eventType(), payload.append(']').toString()));
      from = end;
    }
  }

  /** The entries of these rows, in order. */
  public static Stream<String> allEntries(List<OutboxRow> rows) {
    return rows.stream().flatMap(row -> entries(row.payload()).stream());
  }

  /** How many entries a row has; it is not taken apart. */
  static int count(String payload) {
    int entries = 1;
    if (payload.startsWith("[")) {
      for (int at = payload.indexOf(SEPARATOR); at >= 0; at = payload.indexOf(SEPARATOR, at + 1)) {
        entries++;
      }
    }
    return entries;
  }

  /** The entries of a row; a row that is no list is its own. */
  public static List<String> entries(String payload) {
    if (!payload.startsWith("[")) {
      return List.of(payload);
    }
    List<String> entries = new ArrayList<>();
    int from = 1;
    for (int end = payload.indexOf(SEPARATOR); end >= 0; end = payload.indexOf(SEPARATOR, from)) {
      entries.add(payload.substring(from, end));
      from = end + SEPARATOR.length();
    }
    entries.add(payload.substring(from, payload.length() - 1));
    return entries;
  }
}
