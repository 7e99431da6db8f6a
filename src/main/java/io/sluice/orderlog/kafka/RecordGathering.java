package io.sluice.orderlog.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Decides which records are made of what waits for a topic. A request costs the broker and the
 * client about the same whether it has one command or a hundred. But nothing waits for others to
 * come: the client has one request in flight per broker, and what arrives meanwhile shares the
 * next.
 *
 * <p>A partition of which {@link #RECORDS_MAX} records or more are not acknowledged yet waits for
 * an ack, and what gathers until then goes together. So a broker or a partition that is slow delays
 * no other one.
 *
 * <p>Not thread-safe. Callers bound the number of items.
 */
final class RecordGathering<T> {
  /**
   * Of a partition: one in the request that is in flight, one for the next. With one alone, what
   * arrives during a request would miss the next one as well.
   */
  static final int RECORDS_MAX = 2;

  /** Items that become one record. */
  record Together<T>(int partition, List<T> items) {}

  private static final class Lane<T> {
    private List<T> waiting = new ArrayList<>();
    private int recordsInFlight;

    boolean isReady() {
      return !waiting.isEmpty() && recordsInFlight < RECORDS_MAX;
    }
  }

  private final ToIntFunction<T> bytes;
  private final int recordBytesMax;
  private final Map<Integer, Lane<T>> lanes = new HashMap<>();

  /**
   * @param bytes of an item
   * @param recordBytesMax of the items of a record; a single one may exceed it
   */
  RecordGathering(ToIntFunction<T> bytes, int recordBytesMax) {
    this.bytes = bytes;
    this.recordBytesMax = recordBytesMax;
  }

  /** Adds an item behind all others of its partition. Returns whether it may go now. */
  boolean add(int partition, T item) {
    Lane<T> lane = lanes.computeIfAbsent(partition, absent -> new Lane<>());
    lane.waiting.add(item);
    return lane.isReady();
  }

  /** Whether {@link #take} returns something now; if not, then not before {@link #answered}. */
  boolean isReady() {
    return lanes.values().stream().anyMatch(Lane::isReady);
  }

  /** The records to hand over now; each is in flight until it is {@link #answered}. */
  List<Together<T>> take() {
    List<Together<T>> records = new ArrayList<>();
    lanes.forEach(
        (partition, lane) -> {
          if (lane.isReady()) {
            int before = records.size();
            cut(partition, emptied(lane), records);
            lane.recordsInFlight += records.size() - before;
          }
        });
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

  private static <T> List<T> emptied(Lane<T> lane) {
    List<T> items = lane.waiting;
    lane.waiting = new ArrayList<>();
    return items;
  }

  /**
   * A record of this partition is acknowledged, or has failed. Returns whether what waits for this
   * partition was waiting for it, and may go now.
   */
  boolean answered(int partition) {
    Lane<T> lane = lane(partition);
    boolean before = lane.isReady();
    lane.recordsInFlight--;
    return lane.isReady() && !before;
  }

  /** Removes and returns what waits for this partition. */
  List<T> drop(int partition) {
    return emptied(lane(partition));
  }

  /** Whether one more record of this partition would not have to wait for an ack. */
  boolean hasRoom(int partition) {
    Lane<T> lane = lanes.get(partition);
    return lane == null || lane.recordsInFlight + (lane.waiting.isEmpty() ? 0 : 1) < RECORDS_MAX;
  }

  private Lane<T> lane(int partition) {
    Lane<T> lane = lanes.get(partition);
    if (lane == null) {
      throw new IllegalStateException("Expected a partition that was used, but got " + partition);
    }
    return lane;
  }
}
