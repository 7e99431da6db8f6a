package io.sluice.owner.booking;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.owner.fencing.Ownership;
import io.sluice.stock.StockStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
  private final Map<BucketId, List<OrderToken>> waiting = new LinkedHashMap<>();
  private int tokensWaiting;
  private int calls;
  private boolean calling;

  public BookedTokens(StockStore stock, Ownership ownership) {
    this.stock = stock;
    this.ownership = ownership;
  }

  /** Tokens that are in the ledger now. */
  public void add(List<OrderToken> tokens) {
    if (tokensWaiting + tokens.size() <= WAITING_MAX) {
      tokensWaiting += tokens.size();
      tokens.forEach(
          token ->
              waiting.computeIfAbsent(token.bucketId(), first -> new ArrayList<>()).add(token));
    }
    callNext();
  }

  /** A loop, since a Redis that is away fails each call at once. */
  private void callNext() {
    if (calling) {
      return;
    }
    calling = true;
    while (calls < CALLS_MAX && !waiting.isEmpty() && !ownership.isLost()) {
      BucketId bucket = waiting.keySet().iterator().next();
      List<OrderToken> tokens = waiting.remove(bucket);
      tokensWaiting -= tokens.size();
      call(bucket, tokens);
    }
    calling = false;
  }

  private void call(BucketId bucket, List<OrderToken> tokens) {
    calls++;
    stock
        .book(bucket, ownership.term(), ownership.booked(), tokens)
        .onFailure(
            failure ->
                log.atDebug()
                    .addKeyValue("bucket", bucket)
                    .addKeyValue("cause", failure.toString())
                    .log("tokens stay unbooked until the sweep"))
        .onComplete(
            done -> {
              calls--;
              callNext();
            });
  }
}
