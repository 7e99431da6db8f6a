package io.sluice.orderlog.kafka;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the end offsets of partitions. All that are asked for within {@link #GATHER_MS} cost one
 * request, since the owners of an instance ask at the same time, again and again. Thread-safe.
 */
final class EndOffsets {
  static final int GATHER_MS = 2;

  private final Vertx vertx;

  /** Of no verticle, whose timers would end with it. */
  private final Context home;

  private final Function<Map<TopicPartition, OffsetSpec>, ListOffsetsResult> list;

  // Guarded by this.
  private Map<TopicPartition, CompletableFuture<Long>> gathered = new HashMap<>();

  /**
   * @param list sends one request, with a time limit
   */
  EndOffsets(Vertx vertx, Function<Map<TopicPartition, OffsetSpec>, ListOffsetsResult> list) {
    this.vertx = vertx;
    this.home = ((VertxInternal) vertx).createEventLoopContext();
    this.list = list;
  }

  /** The offset of the partition's next record, read after this call; completes on any thread. */
  CompletionStage<Long> of(TopicPartition where) {
    boolean isFirst;
    CompletableFuture<Long> end;
    synchronized (this) {
      isFirst = gathered.isEmpty();
      end = gathered.computeIfAbsent(where, asked -> new CompletableFuture<>());
    }
    if (isFirst) {
      home.runOnContext(now -> vertx.setTimer(GATHER_MS, id -> read()));
    }
    return end;
  }

  private void read() {
    Map<TopicPartition, CompletableFuture<Long>> asked;
    synchronized (this) {
      asked = gathered;
      gathered = new HashMap<>();
    }
    try {
      ListOffsetsResult ends =
          list.apply(
              asked.keySet().stream()
                  .collect(Collectors.toMap(Function.identity(), where -> OffsetSpec.latest())));
      asked.forEach((where, end) -> complete(ends, where, end));
    } catch (RuntimeException closed) {
      asked.values().forEach(end -> end.completeExceptionally(closed));
    }
  }

  /** Each partition is answered alone: one without a leader does not delay the others. */
  private static void complete(
      ListOffsetsResult ends, TopicPartition where, CompletableFuture<Long> end) {
    ends.partitionResult(where)
        .whenComplete(
            (found, failure) -> {
              if (failure == null) {
                end.complete(found.offset());
              } else {
                end.completeExceptionally(failure);
              }
            });
  }
}
