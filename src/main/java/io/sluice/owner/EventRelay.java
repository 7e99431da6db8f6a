package io.sluice.owner;

import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPublisher.PartlyPublishedException;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
import io.sluice.tracing.TraceContext;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes events and dead letters to their topics, in the order of their rows, at least once.
 * After a failure, only those are sent again that were not acknowledged.
 *
 * <p>A heartbeat that is due is sent when nothing else is left to send. It tells listeners that the
 * events they have received from this partition are current.
 */
final class EventRelay {
  /** Rows of up to 500 events each. */
  static final int EVENT_ROWS_MAX = 16;

  static final int LETTERS_MAX = 500;

  /** What the rows of a kind become, and how that is sent. */
  private record Topic(
      OutboxKind kind,
      int rowsMax,
      Function<OutboxRow, List<Event>> asEvents,
      Function<List<Event>, Future<Void>> publish) {}

  private final Topic events =
      new Topic(OutboxKind.EVENT, EVENT_ROWS_MAX, EventRelay::eventsOf, this::publish);
  private final Topic letters =
      new Topic(OutboxKind.DEAD, LETTERS_MAX, this::letterOf, this::deadLetter);
  private final OwnerContext context;
  private final int source;
  private final boolean woken;
  private final Map<OutboxKind, Map<Long, EventPage.Known>> learnt =
      new EnumMap<>(OutboxKind.class);
  private boolean heartbeatDue;

  /** Relays the rows of the owner's partition. Its commits wake the pass. */
  EventRelay(OwnerContext context) {
    this(context, context.ownership().partition(), true);
  }

  /**
   * Relays rows of which no commit tells, so a pass goes on for as long as it finds some.
   *
   * @param source of the rows, which are sent to this owner's partition
   */
  EventRelay(OwnerContext context, int source) {
    this(context, source, false);
  }

  private EventRelay(OwnerContext context, int source, boolean woken) {
    this.context = context;
    this.source = source;
    this.woken = woken;
  }

  /**
   * Publishes one page of events; false if nothing else was left. The time of a heartbeat is read
   * first, so that everything committed before that time is sent before the heartbeat.
   */
  Future<Boolean> relayEvents() {
    return heartbeatDue
        ? context.ledger().nowMs().compose(nowMs -> relay(events, () -> heartbeat(nowMs)))
        : relay(events, Future::succeededFuture);
  }

  /** Each event of a traced order carries the span of its publication. */
  private Future<Void> publish(List<Event> events) {
    if (!context.traced().traces().isOn()) {
      return context.events().publish(partition(), events);
    }
    BatchTrace trace =
        BatchTrace.begin(context.traced().traces(), BatchStep.PUBLISH, System.nanoTime());
    List<Event> marked = events.stream().map(event -> marked(event, trace)).toList();
    return context
        .events()
        .publish(partition(), marked)
        .onComplete(
            done ->
                trace.end(
                    System.nanoTime(),
                    events.size(),
                    List.of(),
                    Attributes.ofPartition(partition()),
                    BatchTrace.errorOf(done)));
  }

  private Event marked(Event event, BatchTrace trace) {
    TraceContext span = trace.add(context.traced().of(event.key()), event.key());
    return span == null ? event : event.tracedAs(span.text());
  }

  private static List<Event> eventsOf(OutboxRow row) {
    return OutboxList.entries(row.payload()).stream()
        .map(event -> new Event(row.eventType(), OutboxPayload.key(event), event))
        .toList();
  }

  private List<Event> letterOf(OutboxRow row) {
    return List.of(new Event(row.eventType(), partitionKey(), row.payload()));
  }

  private Future<Void> deadLetter(List<Event> letters) {
    return context.events().deadLetter(partition(), letters);
  }

  /**
   * The next pass that finds nothing left sends a heartbeat.
   *
   * @return whether one was due already, and is not sent yet
   */
  boolean heartbeatIsDue() {
    boolean was = heartbeatDue;
    heartbeatDue = true;
    return was;
  }

  /**
   * Sends a heartbeat.
   *
   * @param madeAtMs a time of the ledger's clock; all events committed before it are sent
   */
  Future<Void> heartbeat(long madeAtMs) {
    heartbeatDue = false;
    return context.events().publish(partition(), List.of(heartbeatOf(madeAtMs)));
  }

  Future<Boolean> relayDeadLetters() {
    return relay(letters, Future::succeededFuture);
  }

  private Future<Boolean> relay(Topic topic, Supplier<Future<Void>> whenLast) {
    return context
        .ledger()
        .pending(source, topic.kind(), 0, topic.rowsMax())
        .compose(
            rows -> {
              boolean isLast = rows.isEmpty() || (woken && rows.size() < topic.rowsMax());
              return relayPage(topic, rows)
                  .compose(
                      relayed -> isLast ? whenLast.get().map(false) : Future.succeededFuture(true));
            });
  }

  /** Marks what is acknowledged even if the rest fails. */
  private Future<Void> relayPage(Topic topic, List<OutboxRow> rows) {
    if (rows.isEmpty()) {
      return Future.succeededFuture();
    }
    EventPage page =
        new EventPage(rows, topic.asEvents(), learnt.getOrDefault(topic.kind(), Map.of()));
    List<Event> unsent = page.unsent();
    return (unsent.isEmpty() ? Future.<Void>succeededFuture() : topic.publish().apply(unsent))
        .transform(
            (published, failure) -> {
              page.published(failure);
              return mark(topic.kind(), page)
                  .compose(
                      marked ->
                          failure == null
                              ? Future.succeededFuture()
                              : Future.failedFuture(failure));
            });
  }

  /** If this fails, the events of these rows are known not to be sent again. */
  private Future<Void> mark(OutboxKind kind, EventPage page) {
    Map<Long, EventPage.Known> known = page.learnt();
    List<OutboxRow> done = page.done();
    learnt.put(kind, known);
    return done.isEmpty()
        ? Future.succeededFuture()
        : context
            .ledger()
            .sent(done)
            .onSuccess(marked -> done.forEach(row -> known.remove(row.id())));
  }

  /**
   * Carries the term, so that listeners ignore a heartbeat from a replaced owner, and its time on
   * the ledger's clock, so that they ignore one that was delayed.
   */
  private Event heartbeatOf(long madeAtMs) {
    String payload =
        "{\"type\":\"HEARTBEAT\",\"partition\":"
            + partition()
            + ",\"term\":"
            + context.ownership().term()
            + ",\"at\":"
            + madeAtMs
            + "}";
    return new Event(Event.HEARTBEAT, partitionKey(), payload);
  }

  private String partitionKey() {
    return "partition-" + partition();
  }

  private int partition() {
    return context.ownership().partition();
  }

  /**
   * Rows whose events are published together, and which of these events are acknowledged.
   *
   * <p>A row can be marked when all its events are acknowledged, unless a row before it is left
   * that has events of the same key. Should the owner end now, its successor would publish those
   * behind the newer ones.
   */
  static final class EventPage {
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
}
