package io.sluice.owner.outbox;

import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPublisher.PartlyPublishedException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rows whose events are published together, and which of these events are acknowledged.
 *
 * <p>A row can be marked when all its events are acknowledged, unless a row before it is left that
 * has events of the same key. Should the owner end now, its successor would publish those behind
 * the newer ones.
 */
final class EventPage {
  private record Numbered(int row, int number, Event event) {}

  /** The events of a row that are acknowledged, by index. */
  record Known(OutboxRow row, BitSet acknowledged) {}

  private final List<OutboxRow> rows;
  private final List<List<Event>> events = new ArrayList<>();
  private final List<BitSet> acknowledged = new ArrayList<>();
  private final List<Numbered> unsent = new ArrayList<>();

  /**
   * @param before what earlier pages have learnt of these rows, {@link #learnt}
   */
  EventPage(
      List<OutboxRow> rows, Function<OutboxRow, List<Event>> asEvents, Map<Long, Known> before) {
    this.rows = rows;
    for (int row = 0; row < rows.size(); row++) {
      List<Event> ofRow = asEvents.apply(rows.get(row));
      BitSet known = of(rows.get(row), before);
      events.add(ofRow);
      acknowledged.add(known);
      for (int i = known.nextClearBit(0); i < ofRow.size(); i = known.nextClearBit(i + 1)) {
        unsent.add(new Numbered(row, i, ofRow.get(i)));
      }
    }
  }

  /**
   * A ledger that was put back to an earlier state uses ids again, so the whole row is compared.
   */
  private static BitSet of(OutboxRow row, Map<Long, Known> before) {
    Known known = before.get(row.id());
    return known != null && known.row().equals(row)
        ? (BitSet) known.acknowledged().clone()
        : new BitSet();
  }

  /** The events that are not known to be acknowledged, in order. */
  List<Event> unsent() {
    return unsent.stream().map(Numbered::event).toList();
  }

  /**
   * Learns how the publication of {@link #unsent} ended.
   *
   * @param failure null if all are acknowledged
   */
  void published(@Nullable Throwable failure) {
    for (int i = 0; i < unsent.size(); i++) {
      Numbered one = unsent.get(i);
      if (failure == null
          || (failure instanceof PartlyPublishedException partly && partly.isAcknowledged(i))) {
        acknowledged.get(one.row()).set(one.number());
      }
    }
  }

  /** Which events are acknowledged, by the ids of their rows. */
  Map<Long, Known> learnt() {
    Map<Long, Known> learnt = new HashMap<>();
    for (int row = 0; row < rows.size(); row++) {
      if (!acknowledged.get(row).isEmpty()) {
        learnt.put(rows.get(row).id(), new Known(rows.get(row), acknowledged.get(row)));
      }
    }
    return learnt;
  }

  /** The rows that can be marked. */
  List<OutboxRow> done() {
    List<OutboxRow> done = new ArrayList<>();
    Set<String> left = new HashSet<>();
    for (int row = 0; row < rows.size(); row++) {
      List<String> keys = events.get(row).stream().map(Event::key).toList();
      boolean whole = acknowledged.get(row).cardinality() == keys.size();
      if (whole && (left.isEmpty() || keys.stream().noneMatch(left::contains))) {
        done.add(rows.get(row));
      } else {
        left.addAll(keys);
      }
    }
    return done;
  }
}
