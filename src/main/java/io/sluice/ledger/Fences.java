package io.sluice.ledger;

import io.vertx.core.Future;
import java.util.Map;

/**
 * The owner of each partition, and the offset up to which its order log is booked. Part of {@link
 * Ledger}.
 */
public interface Fences {

  /**
   * Takes the partition over: raises its term above its current value and above {@code termSeen}
   * elsewhere, and at least to the database's clock. So no term is issued twice, even after the
   * ledger was restored to an earlier state.
   */
  Future<Fence> takeOver(int partition, long termSeen);

  /** The fences of all partitions that ever had an owner. */
  Future<Map<Integer, Fence>> fences();

  /**
   * Takes the partition over at an offset that an operator chose, because the order log ends below
   * the recorded one.
   */
  Future<Fence> reset(int partition, long nextOffset);
}
