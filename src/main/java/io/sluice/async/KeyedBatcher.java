package io.sluice.async;

import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A {@link Batcher} per key, each with one call at a time; an idle key costs nothing.
 *
 * <p>Callers bound the number of items.
 */
public final class KeyedBatcher<K, T> {

  /** Sends a batch of a key. */
  public interface Call<K, T> {
    /** Answers the items itself; whatever the outcome, the next batch follows. */
    Future<Void> send(K key, List<T> items);
  }

  private final Batcher.Limits limits;
  private final Call<K, T> call;

  /** A key is here exactly while a call of it is in flight. */
  private final Map<K, Batcher<T>> busy = new HashMap<>();

  public KeyedBatcher(int batchMax, Call<K, T> call) {
    this.limits = Batcher.Limits.ofItems(1, batchMax);
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
    return new Batcher<>(limits, item -> 1, items -> call.send(key, items), () -> forgetIdle(key));
  }

  private void forgetIdle(K key) {
    Batcher<T> batcher = busy.get(key);
    if (batcher != null && batcher.isIdle()) {
      busy.remove(key);
    }
  }

  /** Takes out what waits behind the call that is in flight. */
  public List<T> drain(K key) {
    Batcher<T> batcher = busy.get(key);
    return batcher == null ? List.of() : batcher.drain();
  }
}
