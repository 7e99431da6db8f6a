package io.sluice.ledger;

import io.vertx.core.Future;
import java.util.Map;

/** Who owns a partition, and how far its order log is booked. Part of {@link Ledger}. */
public interface Fences {

  /**
   * Takes the partition over: raises its term above what it was and {@code termSeen} elsewhere, and
   * to the database's clock at least. So no term is given twice, even where the ledger was put back
   * to an earlier state.
   */
  Future<Fence> takeOver(int partition, long termSeen);

  /** The fences of all partitions that ever had an owner. */
  Future<Map<Integer, Fence>> fences();

  /**
   * Takes the partition over at an offset that an operator names, since the order log ends below
   * the one that is recorded.
   */
  Future<Fence> reset(int partition, long nextOffset);
}
