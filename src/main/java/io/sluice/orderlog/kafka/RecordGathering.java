package io.sluice.orderlog.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Decides when what waits for a topic is handed to Kafka's client, and in which records. A request
 * costs the broker and the client about the same whether it has one command or a hundred. So
 * commands wait for others, but only if others were just sent.
 *
 * <p>What waits goes at once if nothing was handed over within {@link #PAUSE}, or if {@link
 * #ENOUGH} commands wait. The client has one request in flight per broker, and sends all that it
 * was handed meanwhile in the next. A partition of which {@link #RECORDS_MAX} records are not
 * acknowledged yet waits for an ack. So a broker or a partition that is slow delays no other one.
 *
 * <p>Not thread-safe. Callers bound the number of items.
 */
final class RecordGathering<T> {
  static final Duration PAUSE = Duration.ofMillis(2);

  /**
   * Of a partition: one in the request that is in flight, one for the next. With one alone, what
   * arrives during a request would miss the next one as well.
   */
  static final int RECORDS_MAX = 2;

  /** Waiting would gain little more. */
  static final int ENOUGH = 32;

  /** The answer of {@link #restNanos} if nothing can go before an ack. */
  static final long UNTIL_ACK = Long.MAX_VALUE;

  /** Items that become one record. */
  record Together<T>(int partition, List<T> items) {}

  private final class Lane {
    private List<T> waiting = new ArrayList<>();
    private int commands;
    private int recordsInFlight;

    boolean mayGo() {
      return recordsInFlight < RECORDS_MAX;
    }
  }

  private final ToIntFunction<T> bytes;
  private final int recordBytesMax;
  private final Map<Integer, Lane> lanes = new HashMap<>();

  /** The commands that wait, of all partitions that need not wait for an ack. */
  private int ready;

  private long mayGoNanos;

  /**
   * @param bytes of an item
   * @param recordBytesMax of the items of a record; a single one may exceed it
   * @param nowNanos the time on the monotonic clock that the methods are given
   */
  RecordGathering(ToIntFunction<T> bytes, int recordBytesMax, long nowNanos) {
    this.bytes = bytes;
    this.recordBytesMax = recordBytesMax;
    this.mayGoNanos = nowNanos;
  }

  /** Adds an item of this many commands behind all others of its partition. */
  void add(int partition, T item, int commands) {
    Lane lane = lanes.computeIfAbsent(partition, absent -> new Lane());
    lane.waiting.add(item);
    lane.commands += commands;
    if (lane.mayGo()) {
      ready += commands;
    }
  }

  /**
   * The nanoseconds until {@link #take} returns something: 0 if it does so now, {@link #UNTIL_ACK}
   * if not before {@link #answered}.
   */
  long restNanos(long nowNanos) {
    if (ready == 0) {
      return UNTIL_ACK;
    }
    return ready >= ENOUGH ? 0 : Math.max(0, mayGoNanos - nowNanos);
  }

  /** The records to hand over now; each is in flight until it is {@link #answered}. */
  List<Together<T>> take(long nowNanos) {
    if (restNanos(nowNanos) > 0) {
      return List.of();
    }
    List<Together<T>> records = new ArrayList<>();
    lanes.forEach(
        (partition, lane) -> {
          if (lane.mayGo() && !lane.waiting.isEmpty()) {
            int before = records.size();
            cut(partition, emptied(lane), records);
            lane.recordsInFlight += records.size() - before;
          }
        });
    ready = 0;
    mayGoNanos = nowNanos + PAUSE.toNanos();
    return records;
  }

  private void cut(int partition, List<T> items, List<Together<T>> records) {
    int from = 0;
    long size = 0;
    for (int next = 0; next < items.size(); next++) {
      int added = bytes.applyAsInt(items.get(next));
      if (next > from && (recordBytesMax == 0 || size + added > recordBytesMax)) {
        records.add(new Together<>(partition, items.subList(from, next)));
        from = next;
        size = 0;
      }
      size += added;
    }
    records.add(new Together<>(partition, items.subList(from, items.size())));
  }

  private List<T> emptied(Lane lane) {
    List<T> items = lane.waiting;
    lane.waiting = new ArrayList<>();
    lane.commands = 0;
    return items;
  }

  /** A record of this partition is acknowledged, or has failed. */
  void answered(int partition) {
    Lane lane = lane(partition);
    boolean before = lane.mayGo();
    lane.recordsInFlight--;
    if (lane.mayGo() && !before) {
      ready += lane.commands;
    }
  }

  /** Removes and returns what waits for this partition. */
  List<T> drop(int partition) {
    Lane lane = lane(partition);
    if (lane.mayGo()) {
      ready -= lane.commands;
    }
    return emptied(lane);
  }

  /** Whether one more record of this partition would not have to wait for an ack. */
  boolean hasRoom(int partition) {
    Lane lane = lanes.get(partition);
    return lane == null || lane.recordsInFlight + (lane.waiting.isEmpty() ? 0 : 1) < RECORDS_MAX;
  }

  private Lane lane(int partition) {
    Lane lane = lanes.get(partition);
    if (lane == null) {
      throw new IllegalStateException("Expected a partition that was used, but got " + partition);
    }
    return lane;
  }
}
