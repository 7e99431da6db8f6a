package io.sluice.orderlog;

import io.sluice.model.Command;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * An order log without threads, for tests: every append has a scripted outcome, and what is
 * asynchronous in the real one happens when the test says so. Records are stored as bytes, so that
 * the codec is tested as well.
 */
@NullMarked
public final class InMemoryOrderLog implements OrderLog {

  /** The outcome of an append. */
  public enum Fate {
    /** It is in the log, and its caller gets the offset. */
    ACKED,
    /** It is in the log, but its caller gets a failure. */
    ACK_LOST,
    /** It is in the log twice, as after a producer's retry; its caller gets the first offset. */
    DUPLICATED,
    /** It is not in the log, and its caller gets a failure. */
    REFUSED,
    /** Its caller gets a failure now; {@link #appendLate} puts it into the log. */
    LATE,
    /** Undecided until {@link #settle}. */
    PENDING
  }

  private record Waiting(int partition, byte[] value, Promise<Long> ack) {}

  private static final class Partition {
    final List<byte[]> records = new ArrayList<>();
    long begin;

    long end() {
      return begin + records.size();
    }
  }

  /** Stands at an offset that no reader is given; told from a record by identity. */
  private static final byte[] MARKER = new byte[0];

  private final Map<Integer, Partition> partitions = new HashMap<>();
  private final Deque<Fate> next = new ArrayDeque<>();
  private final Deque<Waiting> pending = new ArrayDeque<>();
  private final Deque<Waiting> late = new ArrayDeque<>();
  private Fate fate = Fate.ACKED;
  private boolean readable = true;
  private boolean taking = true;

  @Override
  public Future<Long> append(int partition, List<Command> commands) {
    Waiting append = new Waiting(partition, OrderLogCodec.encode(commands), Promise.promise());
    Fate due = next.isEmpty() ? fate : next.remove();
    if (due == Fate.PENDING) {
      pending.add(append);
    } else {
      happen(append, due);
    }
    return append.ack().future();
  }

  @Override
  public Future<Void> room(int partition) {
    return Future.succeededFuture();
  }

  /** Outcomes are per append, so a failure says nothing about the next one. */
  @Override
  public boolean takes(int partition) {
    return taking;
  }

  @Override
  public Future<Long> endOffset(int partition) {
    return readable
        ? Future.succeededFuture(partition(partition).end())
        : Future.failedFuture(
            new LogUnavailableException("Expected a readable log, but it is not"));
  }

  @Override
  public Future<Long> beginOffset(int partition) {
    return readable
        ? Future.succeededFuture(begin(partition))
        : Future.failedFuture(
            new LogUnavailableException("Expected a readable log, but it is not"));
  }

  /** The outcomes of the next appends, one each; after these the usual one. */
  public void next(Fate... fates) {
    next.addAll(List.of(fates));
  }

  /** The outcome of every append from now on. */
  public void usually(Fate usual) {
    fate = usual;
  }

  /** Whether {@link #endOffset} answers. */
  public void readable(boolean nowReadable) {
    readable = nowReadable;
  }

  /** What {@link #takes} answers. */
  public void taking(boolean nowTaking) {
    taking = nowTaking;
  }

  /** The number of appends that wait for {@link #settle}. */
  public int pending() {
    return pending.size();
  }

  /** Decides the oldest pending append. */
  public void settle(Fate decision) {
    happen(pending.remove(), decision);
  }

  /** Appends all records that were late. */
  public void appendLate() {
    while (!late.isEmpty()) {
      Waiting append = late.remove();
      partition(append.partition()).records.add(append.value());
    }
  }

  /** Appends any bytes, as a foreign producer might. */
  public long appendRaw(int partition, byte[] value) {
    partition(partition).records.add(value);
    return partition(partition).end() - 1;
  }

  /** Uses up an offset without a record, as the end of a transaction does. */
  public void appendMarker(int partition) {
    partition(partition).records.add(MARKER);
  }

  /** Deletes older records, as retention does. */
  public void forgetBefore(int partition, long offset) {
    Partition log = partition(partition);
    log.records.subList(0, (int) (offset - log.begin)).clear();
    log.begin = offset;
  }

  /** Deletes newer records, as an unclean leader election does. */
  public void loseFrom(int partition, long offset) {
    Partition log = partition(partition);
    log.records.subList((int) (offset - log.begin), log.records.size()).clear();
  }

  /** What this partition has now. */
  public List<byte[]> records(int partition) {
    return List.copyOf(partition(partition).records);
  }

  long begin(int partition) {
    return partition(partition).begin;
  }

  long end(int partition) {
    return partition(partition).end();
  }

  /** Null if the offset is of no record. */
  byte @Nullable [] record(int partition, long offset) {
    Partition log = partition(partition);
    byte[] value = log.records.get((int) (offset - log.begin));
    return value == MARKER ? null : value;
  }

  private void happen(Waiting append, Fate due) {
    Partition log = partition(append.partition());
    long offset = log.end();
    switch (due) {
      case ACKED -> log.records.add(append.value());
      case DUPLICATED -> log.records.addAll(List.of(append.value(), append.value()));
      case ACK_LOST -> log.records.add(append.value());
      case LATE -> late.add(append);
      case REFUSED -> {}
      case PENDING -> throw new IllegalArgumentException("Expected a decision, but got none");
    }
    if (due == Fate.ACKED || due == Fate.DUPLICATED) {
      append.ack().complete(offset);
    } else {
      append.ack().fail(new LogUnavailableException("Expected an ack, but: " + due));
    }
  }

  private Partition partition(int number) {
    return partitions.computeIfAbsent(number, absent -> new Partition());
  }
}
