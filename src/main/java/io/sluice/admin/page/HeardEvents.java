package io.sluice.admin.page;

import io.sluice.ledger.rules.EventType;
import io.sluice.orderlog.Event;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The events on {@code stock-events} since this instance started, from the owners of all instances:
 * how many of each type, and which instance owns a partition. An event that was sent twice counts
 * twice. Thread-safe.
 */
public final class HeardEvents {
  private final Map<String, LongAdder> counts =
      Arrays.stream(EventType.values())
          .collect(Collectors.toUnmodifiableMap(EventType::name, type -> new LongAdder()));

  private final AtomicReferenceArray<@Nullable Owner> owners;

  /** The instance whose owner has this term. */
  private record Owner(String instance, long term) {}

  public HeardEvents(int partitions) {
    this.owners = new AtomicReferenceArray<>(partitions);
  }

  public void heard(int partition, Event event) {
    LongAdder count = counts.get(event.type());
    if (count != null) {
      count.increment();
    } else if (event.type().equals(Event.HEARTBEAT) && partition < owners.length()) {
      note(partition, event);
    }
  }

  /** A replaced owner may send heartbeats for a while. */
  private void note(int partition, Event heartbeat) {
    String instance = heartbeat.instance();
    Long term = heartbeat.number("term");
    if (instance != null && term != null) {
      owners.accumulateAndGet(
          partition,
          new Owner(instance, term),
          (before, now) -> before == null || now.term() >= before.term() ? now : before);
    }
  }

  /** How many events of each type were heard. */
  Map<String, Long> counts() {
    return counts.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, type -> type.getValue().sum(), Long::sum, TreeMap::new));
  }

  int partitions() {
    return owners.length();
  }

  /** The instance that owns this partition; null if no heartbeat has said it. */
  @Nullable String ownerOf(int partition) {
    Owner last = owners.get(partition);
    return last == null ? null : last.instance();
  }
}
