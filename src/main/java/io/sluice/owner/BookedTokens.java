package io.sluice.owner;

import io.sluice.async.Batcher;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes tokens that a commit has booked from {@code unbooked} in Redis. One call per bucket and
 * few calls at a time, so that a batch over thousands of buckets does not fill the connection.
 *
 * <p>Best effort: the sweep finds tokens that are left, and sees that they are booked.
 */
final class BookedTokens {
  static final int CALLS_MAX = 64;

  /** The maximum number of tokens that wait; further ones are left to the sweep. */
  static final int WAITING_MAX = 50_000;

  private static final Logger log = LoggerFactory.getLogger(BookedTokens.class);

  private final StockStore stock;
  private final Ownership ownership;
  private final Map<BucketId, List<OrderToken>> waiting = new HashMap<>();
  private final Batcher<BucketId> calls =
      new Batcher<>(
          Batcher.Limits.ofItems(CALLS_MAX, 1), buckets -> book(buckets.iterator().next()));
  private int tokensWaiting;

  BookedTokens(StockStore stock, Ownership ownership) {
    this.stock = stock;
    this.ownership = ownership;
  }

  /** Adds tokens that are in the ledger now. */
  void add(List<OrderToken> tokens) {
    if (tokensWaiting + tokens.size() <= WAITING_MAX) {
      tokensWaiting += tokens.size();
      tokens.forEach(token -> tokensOf(token.bucketId()).add(token));
    }
    calls.sendNext();
  }

  private List<OrderToken> tokensOf(BucketId bucket) {
    return waiting.computeIfAbsent(
        bucket,
        first -> {
          calls.queue(bucket);
          return new ArrayList<>();
        });
  }

  private Future<?> book(BucketId bucket) {
    List<OrderToken> tokens = waiting.remove(bucket);
    if (tokens == null || ownership.isLost()) {
      return Future.succeededFuture();
    }
    tokensWaiting -= tokens.size();
    return stock
        .book(bucket, ownership.term(), ownership.booked(), tokens)
        .onFailure(
            failure ->
                log.atDebug()
                    .addKeyValue("bucket", bucket)
                    .addKeyValue("cause", failure.toString())
                    .log("tokens could not be removed from unbooked; left to the sweep"));
  }
}
