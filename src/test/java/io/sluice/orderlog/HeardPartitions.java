package io.sluice.orderlog;

import io.sluice.model.Command;
import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.orderlog.OrderLogConsumer.PartitionListener;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A listener that records its notifications; written on a context, read by the test's thread. */
public final class HeardPartitions implements PartitionListener {
  private final Set<Integer> assigned = ConcurrentHashMap.newKeySet();
  private final List<Set<Integer>> revocations = new CopyOnWriteArrayList<>();
  private final List<LogBatch> batches = new CopyOnWriteArrayList<>();
  private final Map<Integer, Throwable> failures = new ConcurrentHashMap<>();
  private volatile Consumer<LogBatch> whenPolled = batch -> {};
  private volatile Future<Void> handOver = Future.succeededFuture();

  /** Runs this on the context after each recorded batch. */
  public HeardPartitions whenPolled(Consumer<LogBatch> action) {
    whenPolled = action;
    return this;
  }

  /** Its work for partitions that are revoked ends when this completes. */
  public void handsOverAfter(Future<Void> end) {
    handOver = end;
  }

  @Override
  public void assigned(Set<Integer> partitions) {
    assigned.addAll(partitions);
  }

  @Override
  public Future<Void> revoked(Set<Integer> partitions) {
    assigned.removeAll(partitions);
    revocations.add(partitions);
    return handOver;
  }

  @Override
  public void polled(LogBatch batch) {
    batches.add(batch);
    whenPolled.accept(batch);
  }

  @Override
  public void failed(int partition, Throwable cause) {
    failures.put(partition, cause);
  }

  public Set<Integer> assigned() {
    return new TreeSet<>(assigned);
  }

  public List<Set<Integer>> revocations() {
    return List.copyOf(revocations);
  }

  public List<LogBatch> batches() {
    return List.copyOf(batches);
  }

  /** The offsets of this partition's records, in the order of delivery. */
  public List<Long> offsets(int partition) {
    return records(partition).stream().map(LogRecord::offset).toList();
  }

  /** The commands of one record; none if it was not delivered. */
  public List<Command> commandsAt(int partition, long offset) {
    return records(partition).stream()
        .filter(record -> record.offset() == offset)
        .flatMap(record -> record.commands().stream())
        .toList();
  }

  /** The commands of this partition's records, in the order of delivery. */
  public List<Command> commands(int partition) {
    return records(partition).stream().flatMap(record -> record.commands().stream()).toList();
  }

  /**
   * The instances that appended this partition's records, as these say; null where one does not.
   */
  public List<@Nullable String> instances(int partition) {
    List<@Nullable String> instances = new ArrayList<>();
    records(partition).forEach(record -> instances.add(record.instance()));
    return instances;
  }

  private List<LogRecord> records(int partition) {
    return batches.stream()
        .filter(batch -> batch.partition() == partition)
        .flatMap(batch -> batch.records().stream())
        .toList();
  }

  public Map<Integer, Throwable> failures() {
    return Map.copyOf(failures);
  }
}
