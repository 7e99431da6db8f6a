package io.sluice.ledger.rules;

import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.ledger.Reconciliation;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import java.util.List;
import java.util.Optional;

/** What a partition's PENDING outbox rows say about one bucket. */
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

  /**
   * The orders whose units are still to be released; empty where there are too many to list.
   *
   * @param pending the pending releases of the partition; all, or more than can be listed
   */
  public static Optional<List<OrderToken>> unreleased(BucketId id, List<OutboxRow> pending) {
    List<String> releases = OutboxList.allEntries(pending);
    return releases.size() > Reconciliation.UNRELEASED_MAX
        ? Optional.empty()
        : Optional.of(
            releases.stream()
                .map(release -> OutboxPayload.releaseOf(release).token())
                .filter(token -> token.bucketId().equals(id))
                .distinct()
                .toList());
  }
}
