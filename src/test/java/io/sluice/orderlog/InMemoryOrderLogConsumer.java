package io.sluice.orderlog;

import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.orderlog.OrderLogCodec.Decoded;
import io.sluice.orderlog.OrderLogConsumer.PartitionListener;
import io.sluice.orderlog.kafka.AssignedPartitions;
import io.sluice.orderlog.kafka.AssignedPartitions.PollPlan;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A consumer without threads and without a group, for tests: the test assigns and revokes
 * partitions and polls. The state of each partition is decided by the same code as in the real one.
 */
@NullMarked
public final class InMemoryOrderLogConsumer implements OrderLogConsumer {
  private final InMemoryOrderLog log;
  private final AssignedPartitions partitions = new AssignedPartitions();
  private final Map<Integer, Long> positions = new HashMap<>();
  private final List<Promise<Set<Integer>>> asking = new ArrayList<>();
  private @Nullable PartitionListener listener;
  private long polls;

  public InMemoryOrderLogConsumer(InMemoryOrderLog log) {
    this.log = log;
  }

  @Override
  public Future<Void> start(PartitionListener toTell) {
    listener = toTell;
    return Future.succeededFuture();
  }

  /** Whether it has joined the group. */
  public boolean isStarted() {
    return listener != null;
  }

  /** Whether the next poll would read this partition. */
  public boolean isReading(int partition) {
    return partitions.isRead(partition, polls + 1);
  }

  /** Assigns partitions, as a rebalance does. */
  public void assign(Set<Integer> assigned) {
    partitions.assigned(assigned);
    listener().assigned(assigned);
  }

  /** Revokes partitions, as a rebalance does, which waits for the returned future. */
  public Future<Void> revoke(Set<Integer> revoked) {
    partitions.revoked(revoked);
    return listener().revoked(revoked);
  }

  /**
   * Reads up to so many records of each partition that is started and not paused.
   *
   * @return by how many offsets what was delivered has moved
   */
  public int poll(int recordsMax) {
    polls++;
    PollPlan plan = partitions.plan();
    positions.putAll(plan.seeks());
    int delivered = 0;
    for (int partition : plan.running()) {
      delivered += read(partition, recordsMax);
    }
    asking.forEach(question -> question.complete(partitions.all()));
    asking.clear();
    return delivered;
  }

  private int read(int partition, int recordsMax) {
    long first = positions.getOrDefault(partition, 0L);
    long begin = log.begin(partition);
    long end = log.end(partition);
    if (first < begin || first > end) {
      partitions.stop(partition);
      listener().failed(partition, new LogOffsetException(partition, first, begin, end));
      return 0;
    }
    List<LogRecord> records = new ArrayList<>();
    long to = Math.min(end, first + recordsMax);
    for (long offset = first; offset < to; offset++) {
      byte[] record = log.record(partition, offset);
      if (record != null) {
        Decoded value = OrderLogCodec.decode(record);
        records.add(new LogRecord(offset, 0, value.supported(), value.commands()));
      }
    }
    if (to == first) {
      return 0;
    }
    LogBatch batch = new LogBatch(partition, first, to, records);
    positions.put(partition, batch.endOffset());
    if (!partitions.admit(polls, batch)) {
      return 0;
    }
    listener().polled(batch);
    return (int) (to - first);
  }

  /** Stops reading a partition, as a failed poll does. */
  public void fail(int partition, Throwable cause) {
    partitions.stop(partition);
    listener().failed(partition, cause);
  }

  @Override
  public Future<Void> startAt(int partition, long offset) {
    long generation = partitions.prepareStart(partition);
    if (generation == 0) {
      return Future.failedFuture(
          new IllegalStateException("Expected partition %d to be assigned".formatted(partition)));
    }
    long begin = log.begin(partition);
    long end = log.end(partition);
    if (offset < begin || offset > end) {
      return Future.failedFuture(new LogOffsetException(partition, offset, begin, end));
    }
    partitions.start(partition, offset, polls + 1);
    return Future.succeededFuture();
  }

  @Override
  public void pause(Set<Integer> paused) {
    partitions.pause(paused);
  }

  @Override
  public void resume(Set<Integer> resumed) {
    partitions.resume(resumed);
  }

  /** Completes with the next {@link #poll}. */
  @Override
  public Future<Set<Integer>> assignedAfterNextPoll() {
    Promise<Set<Integer>> promise = Promise.promise();
    asking.add(promise);
    return promise.future();
  }

  /** There is no group. */
  @Override
  public Future<Boolean> hasOthers() {
    return Future.succeededFuture(false);
  }

  /** There is no group: everything that was assigned is its share. */
  @Override
  public Future<Optional<Set<Integer>>> settledShare() {
    Set<Integer> all = partitions.all();
    return Future.succeededFuture(all.isEmpty() ? Optional.empty() : Optional.of(all));
  }

  @Override
  public Future<Void> close() {
    Set<Integer> left = partitions.all();
    partitions.revoked(left);
    if (!left.isEmpty()) {
      listener().revoked(left);
    }
    return Future.succeededFuture();
  }

  private PartitionListener listener() {
    if (listener == null) {
      throw new IllegalStateException("Expected the consumer to be started, but it is not");
    }
    return listener;
  }
}
