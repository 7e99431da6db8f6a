package io.sluice.async;

import io.sluice.async.Batcher.KeyedBatcher;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Joins single reads of a store into batches. A key is never added to a read in flight: every reply
 * was read after it was requested, so that "read A, then B" keeps its order.
 */
public final class BatchReader<L, K, R> {

  private record Ask<K, R>(K key, Promise<R> reply) {}

  private final int waitingMax;
  private final BiFunction<L, List<K>, Future<R>> read;
  private final KeyedBatcher<L, Ask<K, R>> lanes;
  private int waiting;

  /**
   * @param batchMax keys of one read
   * @param waitingMax the maximum number of requests without a reply; over it they fail at once
   * @param read one read of the store, of a lane, for distinct keys
   */
  public BatchReader(int batchMax, int waitingMax, BiFunction<L, List<K>, Future<R>> read) {
    this.waitingMax = waitingMax;
    this.read = read;
    this.lanes = new KeyedBatcher<>(batchMax, this::send);
  }

  /** The reply of the read that includes this key. */
  public Future<R> read(L lane, K key) {
    if (waiting >= waitingMax) {
      return Future.failedFuture(new QueueFullException(waitingMax));
    }
    waiting++;
    Ask<K, R> ask = new Ask<>(key, Promise.promise());
    lanes.add(lane, ask);
    return ask.reply().future();
  }

  private Future<Void> send(L lane, List<Ask<K, R>> asks) {
    Set<K> keys = new LinkedHashSet<>();
    asks.forEach(ask -> keys.add(ask.key()));
    return Future.succeededFuture(List.copyOf(keys))
        .compose(distinct -> read.apply(lane, distinct))
        .transform(
            reply -> {
              waiting -= asks.size();
              asks.forEach(ask -> ask.reply().handle(reply));
              return Future.succeededFuture();
            });
  }

  /**
   * The maximum number of look-ups is waiting. The stores are fine; a retry a second later is
   * likely to succeed.
   */
  public static final class QueueFullException extends RuntimeException {
    public QueueFullException(int waitingMax) {
      super(
          "Expected at most " + waitingMax + " look-ups to wait, but more do", null, false, false);
    }

    /** Whether a look-up was refused for this reason. */
    public static boolean isWhy(Throwable cause) {
      return cause instanceof QueueFullException;
    }
  }
}
