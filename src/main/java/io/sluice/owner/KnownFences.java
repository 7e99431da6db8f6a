package io.sluice.owner;

import io.sluice.ledger.Fence;
import io.sluice.monitor.Alarm;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fences and terms that this instance knows of, across the lives of its owners. They show
 * whether the ledger was restored to an earlier state (from a backup, or by promoting a replica
 * that lagged), or another owner has made progress. Thread-safe.
 */
public final class KnownFences {
  private static final Logger log = LoggerFactory.getLogger(KnownFences.class);

  private final Map<Integer, Fence> committed = new ConcurrentHashMap<>();

  /**
   * Partitions whose ledger was restored to an earlier state, and whose buckets are not all rebuilt
   * yet.
   */
  private final Set<Integer> suspects = ConcurrentHashMap.newKeySet();

  private final Map<Integer, Long> terms = new ConcurrentHashMap<>();

  /** Records a fence that is known to be committed. */
  void note(Fence fence) {
    committed.put(fence.partition(), fence);
  }

  /** Records a term of the partition that Redis has seen. */
  void seenInRedis(int partition, long term) {
    terms.merge(partition, term, Math::max);
  }

  /** The highest term of the partition that was seen; 0 if none was. */
  public long termSeen(int partition) {
    Fence fence = committed.get(partition);
    return Math.max(terms.getOrDefault(partition, 0L), fence == null ? 0 : fence.term());
  }

  /**
   * Records the fence of a takeover. Returns whether Redis may have state that the ledger does not
   * know. Raises an alarm if the ledger has lost what was committed.
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

  /**
   * Raises the alarm that the ledger was restored, and names what the order log cannot bring back.
   */
  static void alarm(Fence now, long bookedBefore) {
    Alarm.LEDGER_RESTORED.raise(
        log.atError()
            .addKeyValue("partition", now.partition())
            .addKeyValue("offset", now.nextOffset())
            .addKeyValue("bookedBefore", bookedBefore));
  }
}
