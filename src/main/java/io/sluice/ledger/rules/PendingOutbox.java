package io.sluice.ledger.rules;

import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.model.BucketId;
import java.util.List;

/** What a partition's pending restocks say about one bucket. */
public final class PendingOutbox {
  /**
   * How many pending restocks of a partition are checked; where there are more, every bucket counts
   * as restocking.
   */
  public static final int RESTOCKS_MAX = 500;

  private PendingOutbox() {}

  /**
   * @param pending the oldest pending restocks of the partition, at most {@link #RESTOCKS_MAX}
   */
  public static boolean isRestocking(BucketId id, List<OutboxRow> pending) {
    return pending.size() >= RESTOCKS_MAX
        || pending.stream().anyMatch(row -> OutboxPayload.bucketOf(row.payload()).equals(id));
  }
}
