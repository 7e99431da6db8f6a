package io.sluice.orderlog;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The event topics without threads, for tests; feeds deliver when the test says so. */
@NullMarked
public final class InMemoryEvents implements EventPublisher {

  /** The outcome of a publication. */
  public enum Fate {
    ACKED,
    /** All are published, but the caller gets a failure. */
    ACK_LOST,
    /** Only the first is published, and the caller gets a failure that says so. */
    CUT_SHORT,
    /** None is published, and the caller gets a failure. */
    REFUSED
  }

  /** An event or dead letter, and the partition that it was published to. */
  public record Published(int partition, Event event) {}

  private final List<Published> published = new ArrayList<>();
  private final List<Published> letters = new ArrayList<>();
  private final Deque<Fate> next = new ArrayDeque<>();
  private Fate fate = Fate.ACKED;

  @Override
  public Future<Void> publish(int partition, List<Event> events) {
    return send(published, partition, events);
  }

  @Override
  public Future<Void> deadLetter(int partition, List<Event> dead) {
    return send(letters, partition, dead);
  }

  private Future<Void> send(List<Published> target, int partition, List<Event> events) {
    List<Published> all = events.stream().map(event -> new Published(partition, event)).toList();
    Fate due = next.isEmpty() ? fate : next.remove();
    switch (due) {
      case ACKED, ACK_LOST -> target.addAll(all);
      case CUT_SHORT -> target.addAll(all.subList(0, Math.min(1, all.size())));
      case REFUSED -> {}
    }
    LogUnavailableException failure = new LogUnavailableException("Expected an ack, but: " + due);
    return switch (due) {
      case ACKED -> Future.succeededFuture();
      case CUT_SHORT ->
          Future.failedFuture(
              new PartlyPublishedException(BitSet.valueOf(new long[] {1}), failure));
      case ACK_LOST, REFUSED -> Future.failedFuture(failure);
    };
  }

  /** The outcomes of the next publications, one each; after these the usual one. */
  public void next(Fate... fates) {
    next.addAll(List.of(fates));
  }

  /** The outcome of every publication from now on. */
  public void usually(Fate usual) {
    fate = usual;
  }

  /** All events so far, in order. */
  public List<Published> published() {
    return List.copyOf(published);
  }

  /** All dead letters so far, in order. */
  public List<Published> letters() {
    return List.copyOf(letters);
  }

  /** A feed of one instance. */
  public Feed feed() {
    return new Feed();
  }

  /** Hears what is published after its start, with each {@link #deliver}. */
  public final class Feed {
    private @Nullable EventListener listener;
    private int position;

    public Future<Void> start(EventListener toTell) {
      listener = toTell;
      position = published.size();
      return Future.succeededFuture();
    }

    /** Delivers the new events to the listener; returns their number. */
    public int deliver() {
      int before = position;
      while (listener != null && position < published.size()) {
        Published one = published.get(position++);
        listener.heard(one.partition(), one.event());
      }
      return position - before;
    }
  }
}
