package io.sluice.ledger;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The values that all instances of one ledger share permanently, fixed by the first of them. */
public interface LedgerIdentity {

  /**
   * The secret of order tokens, 16 bytes: drawn once and stored if {@code configured} is empty,
   * else derived from it. Fails with {@link IdentityMismatchException} if the ledger was founded
   * with another secret.
   */
  Future<byte[]> tokenSecret(String configured);

  /** What distinguishes this ledger from others; drawn once, before it has an order log. */
  Future<LedgerKeys> keys();

  /** Fails with {@link IdentityMismatchException} if the ledger has another id than this by now. */
  Future<Void> expect(LedgerKeys keys);

  /**
   * Fixes the order log's partition count and topic id, or fails with {@link
   * IdentityMismatchException}. A ledger without an order log gets this one. The instance that
   * founds the ledger also records the end offset of each partition: owners begin there, so that
   * what an older ledger has sold is not sold again.
   *
   * @param ends reads each partition's end offset; only called if the ledger is not founded yet. It
   *     must not complete until the offset of every partition is known
   */
  Future<Void> orderLog(int partitions, String topicId, Supplier<Future<Map<Integer, Long>>> ends);

  /**
   * Fixes that the ledger has no order log, until an instance that has one founds it here; then, or
   * if it has one already, fails with {@link IdentityMismatchException}.
   */
  Future<Void> noOrderLog();

  /**
   * How long an instance counts as alive after it was last seen, when its being alive forbids
   * something.
   */
  Duration ALIVE_FOR = Duration.ofSeconds(30);

  /**
   * The fences that {@link #adoptLog} would replace now. Fails with {@link
   * IdentityMismatchException} if it would; changes nothing.
   */
  Future<List<Fence>> adoptable(int partitions, String topicId);

  /**
   * Founds a new order log in a ledger whose own one is lost, in one transaction. Writes its topic
   * id; the next offset of each partition, under a higher term; and a request to rebuild all
   * buckets. The rebuild first books what only Redis knows. Fails with {@link
   * IdentityMismatchException} and changes nothing if the ledger has no order log or has this one,
   * if the partition counts differ, or if another instance is alive.
   *
   * @param ends the end offset of each partition of the new log
   * @return the fences as they were
   */
  Future<List<Fence>> adoptLog(int partitions, String topicId, Map<Integer, Long> ends);

  /** Fixes the consumer group of owners, or fails with {@link IdentityMismatchException}. */
  Future<Void> group(String group);
}
