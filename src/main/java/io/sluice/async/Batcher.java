package io.sluice.async;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Micro-batching: few calls at a time; what arrives while they are in flight goes out together in
 * the next. An idle batcher delays nothing.
 *
 * <p>Belongs to one context. Callers bound the number of items.
 */
public final class Batcher<T> {

  /** Sends a batch. */
  public interface Call<T> {
    /** Answers the items itself; whatever the outcome, the next batch follows. */
    Future<?> send(List<T> items);
  }

  /**
   * When a batch is full.
   *
   * @param calls in flight at a time
   * @param items of one call
   * @param weight of the items of one call; a single item may weigh more
   */
  public record Limits(int calls, int items, int weight) {

    /** For items that weigh alike. */
    public static Limits ofItems(int calls, int items) {
      return new Limits(calls, items, Integer.MAX_VALUE);
    }
  }

  private final Limits limits;
  private final ToIntFunction<T> weigher;
  private final Call<T> call;
  private final Runnable sentNext;
  private final Deque<T> waiting = new ArrayDeque<>();
  private int waitingWeight;
  private int inFlight;
  private boolean sending;

  /** For items that weigh alike. */
  public Batcher(Limits limits, Call<T> call) {
    this(limits, item -> 1, call, () -> {});
  }

  /**
   * Makes an idle batcher.
   *
   * @param sentNext runs after each call, once the batches that could follow it are sent
   */
  public Batcher(Limits limits, ToIntFunction<T> weigher, Call<T> call, Runnable sentNext) {
    this.limits = limits;
    this.weigher = weigher;
    this.call = call;
    this.sentNext = sentNext;
  }

  public void add(T item) {
    queue(item);
    sendNext();
  }

  /** Adds an item that goes out with the next call, or with {@link #sendNext}. */
  public void queue(T item) {
    waiting.add(item);
    waitingWeight += weigher.applyAsInt(item);
  }

  /** Sends what waits, as far as calls are free. A loop, since a call may complete at once. */
  public void sendNext() {
    if (sending) {
      return;
    }
    sending = true;
    while (inFlight < limits.calls && !waiting.isEmpty()) {
      inFlight++;
      List<T> batch = nextBatch();
      Future.succeededFuture(batch).compose(call::send).onComplete(done -> completed());
    }
    sending = false;
  }

  private void completed() {
    inFlight--;
    sendNext();
    sentNext.run();
  }

  private List<T> nextBatch() {
    List<T> batch = new ArrayList<>(Math.min(limits.items, waiting.size()));
    int weight = 0;
    while (!waiting.isEmpty() && batch.size() < limits.items) {
      int added = weigher.applyAsInt(waiting.element());
      if (!batch.isEmpty() && weight + added > limits.weight) {
        break;
      }
      weight += added;
      batch.add(waiting.remove());
    }
    waitingWeight -= weight;
    return batch;
  }

  /** Takes out the items that are not sent yet. */
  public List<T> drain() {
    List<T> items = List.copyOf(waiting);
    waiting.clear();
    waitingWeight = 0;
    return items;
  }

  /** Calls that are not completed. */
  public int inFlight() {
    return inFlight;
  }

  /** Weight of the items that are not sent yet. */
  public int waitingWeight() {
    return waitingWeight;
  }

  /** Whether there is nothing in flight and nothing that waits. */
  boolean isIdle() {
    return inFlight == 0 && waiting.isEmpty();
  }
}
