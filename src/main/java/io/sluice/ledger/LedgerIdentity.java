package io.sluice.ledger;

import io.vertx.core.Future;
import java.util.Map;
import java.util.function.Supplier;

/** What all instances on one ledger share for good, fixed by the first of them. */
public interface LedgerIdentity {

  /**
   * The secret of order tokens, 16 bytes: drawn once and kept where {@code configured} is empty,
   * else derived from it. Fails with {@link IdentityMismatchException} where the ledger was founded
   * with another.
   */
  Future<byte[]> tokenSecret(String configured);

  /**
   * Fixes the order log's partition count and topic id, or fails with {@link
   * FoundationMismatchException}. Whoever founds the ledger also notes where each partition ends
   * then: its owners begin there, so that what an older ledger has sold is never sold again.
   *
   * @param ends asks for the offset that each partition's next record will have; only called where
   *     the ledger is not founded yet, which must wait until all of them are known
   */
  Future<Void> orderLog(int partitions, String topicId, Supplier<Future<Map<Integer, Long>>> ends);

  /** Fixes the consumer group of owners, or fails with {@link IdentityMismatchException}. */
  Future<Void> group(String group);
}
