package io.sluice.async;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Micro-batching with a limited number of calls in flight: items that arrive meanwhile are sent
 * together in the next call. An idle batcher delays nothing. A full batch gains nothing by waiting,
 * so some more calls may be in flight for full ones.
 *
 * <p>Belongs to one context. Callers bound the number of items.
 */
public final class Batcher<T> {

  /**
   * @param calls the maximum number of calls in flight
   * @param items the maximum number of items in one call
   * @param weight the maximum weight of the items in one call; a single item may exceed it
   * @param fullCalls the maximum number of calls in flight once a full batch is sent; at least
   *     {@code calls}
   */
  public record Limits(int calls, int items, int weight, int fullCalls) {

    /** Full batches wait as all others do. */
    public Limits(int calls, int items, int weight) {
      this(calls, items, weight, calls);
    }

    /** Limits for items of equal weight. */
    public static Limits ofItems(int calls, int items) {
      return new Limits(calls, items, Integer.MAX_VALUE);
    }
  }

  private final Limits limits;
  private final ToIntFunction<T> weigher;
  private final Function<List<T>, Future<?>> call;
  private final Runnable sentNext;
  private final Deque<T> waiting = new ArrayDeque<>();
  private int waitingWeight;
  private int inFlight;
  private boolean sending;

  /**
   * A batcher for items of equal weight.
   *
   * @param call sends a batch and answers its items; whatever the outcome, the next batch follows
   */
  public Batcher(Limits limits, Function<List<T>, Future<?>> call) {
    this(limits, item -> 1, call, () -> {});
  }

  /**
   * @param call the same
   * @param sentNext runs after each call, once the batches that could follow it are sent
   */
  public Batcher(
      Limits limits,
      ToIntFunction<T> weigher,
      Function<List<T>, Future<?>> call,
      Runnable sentNext) {
    this.limits = limits;
    this.weigher = weigher;
    this.call = call;
    this.sentNext = sentNext;
  }

  public void add(T item) {
    queue(item);
    sendNext();
  }

  /** Adds an item to send with the next call, or with {@link #sendNext}. */
  public void queue(T item) {
    waiting.add(item);
    waitingWeight += weigher.applyAsInt(item);
  }

  /** Sends waiting items while calls are free. Loops, because a call may complete synchronously. */
  public void sendNext() {
    if (sending) {
      return;
    }
    sending = true;
    while (canSend()) {
      inFlight++;
      List<T> batch = nextBatch();
      Future.succeededFuture(batch).compose(call::apply).onComplete(done -> completed());
    }
    sending = false;
  }

  /** Whether {@link #sendNext} would send a batch now. */
  boolean canSend() {
    return !waiting.isEmpty() && inFlight < (isFull() ? limits.fullCalls : limits.calls);
  }

  private boolean isFull() {
    return waiting.size() >= limits.items || waitingWeight >= limits.weight;
  }

  private void completed() {
    inFlight--;
    sendNext();
    sentNext.run();
  }

  private List<T> nextBatch() {
    List<T> batch = new ArrayList<>(Math.min(limits.items, waiting.size()));
    join(batch);
    return batch;
  }

  /** Adds waiting items to a batch that is not used yet, as many as fit. */
  void join(List<T> batch) {
    int weight = batch.stream().mapToInt(weigher).sum();
    while (!waiting.isEmpty() && batch.size() < limits.items) {
      int added = weigher.applyAsInt(waiting.element());
      if (!batch.isEmpty() && weight + added > limits.weight) {
        break;
      }
      weight += added;
      waitingWeight -= added;
      batch.add(waiting.remove());
    }
  }

  /** Removes and returns the items that are not sent yet. */
  public List<T> drain() {
    List<T> items = List.copyOf(waiting);
    waiting.clear();
    waitingWeight = 0;
    return items;
  }

  /** The weight of the items that are not sent yet. */
  public int waitingWeight() {
    return waitingWeight;
  }

  /** Whether nothing is in flight or waiting. */
  boolean isIdle() {
    return inFlight == 0 && waiting.isEmpty();
  }

  /**
   * One {@link Batcher} per key, each with one call in flight, or some more of full batches; an
   * idle key uses no memory.
   *
   * <p>Callers bound the number of items.
   */
  public static final class KeyedBatcher<K, T> {

    private final Batcher.Limits limits;
    private final ToIntFunction<T> weigher;
    private final BiFunction<K, List<T>, Future<Void>> call;

    /** Has a key exactly while a call of that key is in flight. */
    private final Map<K, Batcher<T>> busy = new HashMap<>();

    /**
     * @param call sends a batch of a key and answers its items; whatever the outcome, the next
     *     batch follows. Others may {@link #join} the batch until it is used.
     */
    public KeyedBatcher(int batchMax, BiFunction<K, List<T>, Future<Void>> call) {
      this(batchMax, 1, call);
    }

    /**
     * @param fullCalls the maximum number of calls of a key in flight once a full batch is sent
     */
    public KeyedBatcher(int batchMax, int fullCalls, BiFunction<K, List<T>, Future<Void>> call) {
      this(new Batcher.Limits(1, batchMax, Integer.MAX_VALUE, fullCalls), item -> 1, call);
    }

    /**
     * @param limits of each key
     */
    public KeyedBatcher(
        Batcher.Limits limits,
        ToIntFunction<T> weigher,
        BiFunction<K, List<T>, Future<Void>> call) {
      this.limits = limits;
      this.weigher = weigher;
      this.call = call;
    }

    public void add(K key, T item) {
      Batcher<T> batcher = busy.get(key);
      if (batcher == null) {
        batcher = batcherOf(key);
        busy.put(key, batcher);
      }
      batcher.add(item);
    }

    private Batcher<T> batcherOf(K key) {
      return new Batcher<>(limits, weigher, items -> call.apply(key, items), () -> forgetIdle(key));
    }

    private void forgetIdle(K key) {
      Batcher<T> batcher = busy.get(key);
      if (batcher != null && batcher.isIdle()) {
        busy.remove(key);
      }
    }

    /** Adds the items that wait behind the calls in flight to one of these, as many as fit. */
    public void join(K key, List<T> batch) {
      Batcher<T> batcher = busy.get(key);
      if (batcher != null) {
        batcher.join(batch);
      }
    }

    /** Removes and returns the items that wait behind the calls in flight. */
    public List<T> drain(K key) {
      Batcher<T> batcher = busy.get(key);
      return batcher == null ? List.of() : batcher.drain();
    }
  }
}
