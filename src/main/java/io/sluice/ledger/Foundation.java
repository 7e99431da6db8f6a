package io.sluice.ledger;

import io.vertx.core.Future;

/** What all instances on one ledger share for good, fixed by the first of them. */
public interface Foundation {

  /**
   * The secret of order tokens, 16 bytes: drawn once and kept where {@code configured} is empty,
   * else derived from it. Fails with {@link FoundationMismatchException} where the ledger was
   * founded with another.
   */
  Future<byte[]> tokenSecret(String configured);

  /**
   * Fixes the order log's partition count and topic id, or fails with {@link
   * FoundationMismatchException}.
   */
  Future<Void> orderLog(int partitions, String topicId);

  /** Fixes the consumer group of owners, or fails with {@link FoundationMismatchException}. */
  Future<Void> group(String group);
}
