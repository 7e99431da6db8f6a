package io.sluice.async;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Micro-batching: per lane one call at a time; what arrives while it is under way goes out together
 * in the next. An idle lane costs nothing and waits for nobody.
 *
 * <p>Callers bound the number of items.
 */
public final class KeyedBatcher<L, T> {

  /** Sends a batch of a lane. Answering the items is its own business; failing stops nothing. */
  public interface Call<L, T> {
    Future<Void> send(L lane, List<T> items);
  }

  private final int batchMax;
  private final Call<L, T> call;

  /** What waits, by lane; a lane is here exactly while a call of it is under way. */
  private final Map<L, Deque<T>> busy = new HashMap<>();

  public KeyedBatcher(int batchMax, Call<L, T> call) {
    this.batchMax = batchMax;
    this.call = call;
  }

  public void add(L lane, T item) {
    Deque<T> waiting = busy.get(lane);
    if (waiting != null) {
      waiting.add(item);
      return;
    }
    busy.put(lane, new ArrayDeque<>());
    send(lane, List.of(item));
  }

  /** Takes out what waits behind the call that is under way. */
  public List<T> drain(L lane) {
    Deque<T> waiting = busy.get(lane);
    if (waiting == null) {
      return List.of();
    }
    List<T> items = List.copyOf(waiting);
    waiting.clear();
    return items;
  }

  private void send(L lane, List<T> items) {
    call.send(lane, items).onComplete(done -> sendNext(lane));
  }

  private void sendNext(L lane) {
    Deque<T> waiting = busy.getOrDefault(lane, new ArrayDeque<>());
    if (waiting.isEmpty()) {
      busy.remove(lane);
      return;
    }
    List<T> items = new ArrayList<>(Math.min(batchMax, waiting.size()));
    while (items.size() < batchMax && !waiting.isEmpty()) {
      items.add(waiting.remove());
    }
    send(lane, items);
  }
}
