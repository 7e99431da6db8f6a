package io.sluice.owner.fencing;

import io.sluice.ledger.Fence;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the owners of an instance know of the fences, beyond the life of one owner: so a ledger that
 * was put back to an earlier state (a restored backup, a replica that lagged when it was promoted)
 * is told from one in which another owner went on. May be used on any thread.
 */
public final class KnownFences {
  private static final Logger log = LoggerFactory.getLogger(KnownFences.class);

  private final Map<Integer, Fence> committed = new ConcurrentHashMap<>();

  /** Partitions whose ledger went back, and whose buckets are not all rebuilt since. */
  private final Set<Integer> suspects = ConcurrentHashMap.newKeySet();

  private final Map<Integer, Long> terms = new ConcurrentHashMap<>();

  /** An owner knows this to be committed. */
  void note(Fence fence) {
    committed.put(fence.partition(), fence);
  }

  /** Redis has seen this term of the partition. */
  void seenInRedis(int partition, long term) {
    terms.merge(partition, term, Math::max);
  }

  /** The highest term of the partition that was seen; 0 where none was. */
  public long termSeen(int partition) {
    Fence fence = committed.get(partition);
    return Math.max(terms.getOrDefault(partition, 0L), fence == null ? 0 : fence.term());
  }

  /**
   * Whether Redis may hold what the ledger, as it was just taken over, does not know. Alarms where
   * it has lost what was committed.
   */
  boolean takenOver(Fence fence) {
    Fence before = committed.put(fence.partition(), fence);
    if (before != null && fence.isBehind(before)) {
      suspects.add(fence.partition());
      alarm(fence, before.nextOffset());
    }
    return suspects.contains(fence.partition());
  }

  void suspect(int partition) {
    suspects.add(partition);
  }

  void rebuilt(int partition) {
    suspects.remove(partition);
  }

  /** Says that the ledger went back, and what no log brings back. */
  static void alarm(Fence now, long bookedBefore) {
    log.atError()
        .addKeyValue("partition", now.partition())
        .addKeyValue("offset", now.nextOffset())
        .addKeyValue("bookedBefore", bookedBefore)
        .log(
            "ALARM: the ledger was put back to an earlier state; the log is booked again from there"
                + " and Redis rebuilt. Lost since then: restocks, changes of SKUs, direct bookings;"
                + " repeat them where they are missing");
  }
}
