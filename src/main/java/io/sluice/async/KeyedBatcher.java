package io.sluice.async;

import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * One {@link Batcher} per key, each with one call in flight, or some more of full batches; an idle
 * key uses no memory.
 *
 * <p>Callers bound the number of items.
 */
public final class KeyedBatcher<K, T> {

  public interface Call<K, T> {
    /**
     * Sends a batch of a key and answers its items; whatever the outcome, the next batch follows.
     * Others may {@link #join} the batch until it is used.
     */
    Future<Void> send(K key, List<T> items);
  }

  private final Batcher.Limits limits;
  private final ToIntFunction<T> weigher;
  private final Call<K, T> call;

  /** Has a key exactly while a call of that key is in flight. */
  private final Map<K, Batcher<T>> busy = new HashMap<>();

  public KeyedBatcher(int batchMax, Call<K, T> call) {
    this(batchMax, 1, call);
  }

  /**
   * @param fullCalls the maximum number of calls of a key in flight once a full batch is sent
   */
  public KeyedBatcher(int batchMax, int fullCalls, Call<K, T> call) {
    this(new Batcher.Limits(1, batchMax, Integer.MAX_VALUE, fullCalls), item -> 1, call);
  }

  /**
   * @param limits of each key
   */
  public KeyedBatcher(Batcher.Limits limits, ToIntFunction<T> weigher, Call<K, T> call) {
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
    return new Batcher<>(limits, weigher, items -> call.send(key, items), () -> forgetIdle(key));
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
