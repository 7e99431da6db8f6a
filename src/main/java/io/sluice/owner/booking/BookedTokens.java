package io.sluice.owner.booking;

import io.sluice.async.Batcher;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.owner.fencing.Ownership;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what a commit has booked out of Redis' {@code unbooked}: one call a bucket, few calls at a
 * time, so that a batch over thousands of buckets leaves room on the connection.
 *
 * <p>Nothing depends on it being done soon, or at all: the sweep meets the tokens again and finds
 * them booked.
 */
public final class BookedTokens {
  static final int CALLS_MAX = 64;

  /** As many wait at most; what comes on top is left to the sweep. */
  static final int WAITING_MAX = 50_000;

  private static final Logger log = LoggerFactory.getLogger(BookedTokens.class);

  private final StockStore stock;
  private final Ownership ownership;
  private final Map<BucketId, List<OrderToken>> waiting = new HashMap<>();
  private final Batcher<BucketId> calls =
      new Batcher<>(
          Batcher.Limits.ofItems(CALLS_MAX, 1), buckets -> book(buckets.iterator().next()));
  private int tokensWaiting;

  public BookedTokens(StockStore stock, Ownership ownership) {
    this.stock = stock;
    this.ownership = ownership;
  }

  /** Tokens that are in the ledger now. */
  public void add(List<OrderToken> tokens) {
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
                    .log("tokens stay unbooked until the sweep"));
  }
}
