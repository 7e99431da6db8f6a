package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;

/**
 * How a Redis, or a primary of a cluster, names the ledger whose stock it has. Two ledgers on one
 * would load their buckets over each other's, and book what the other has granted.
 *
 * @param key of the hash that has the name
 * @param ledger the id of this ledger; empty: any may have its stock there
 */
record LedgerMark(byte[] key, String ledger) {
  /** Says that another ledger is named, and what an operator can do. */
  ConnectFailure isOf(String other) {
    return new ConnectFailure(
        ConnectFault.OTHER_LEDGER,
        ("Expected Redis to have the stock of ledger %s alone, but its key %s names ledger %s; give"
                + " each ledger a Redis, or a database number, of its own; if %s is gone for good,"
                + " empty that Redis; if it is this ledger as it was before it was restored,"
                + " delete the key")
            .formatted(ledger, new String(key, US_ASCII), other, other));
  }

  /** Says what Redis answers instead of a name: it is not known whose stock it has. */
  UnfitRedisException isNone(String error) {
    return new UnfitRedisException(
        "Expected the key %s to be a hash with the id of the ledger, but Redis says: %s; if another tool has written it, delete the key"
            .formatted(new String(key, US_ASCII), error));
  }
}
