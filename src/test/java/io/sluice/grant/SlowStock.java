package io.sluice.grant;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Lookup;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.TokenPage;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The network to a store: calls of {@code reserve}, and their replies, arrive when the test says
 * so.
 */
final class SlowStock {
  private record Call(BucketId bucket, List<Request> requests, Promise<ReserveReply> reply) {}

  private final StockStore store;
  private final Deque<Call> calls = new ArrayDeque<>();

  SlowStock(StockStore store) {
    this.store = store;
  }

  StockStore port() {
    return Ports.partly(StockStore.class, this);
  }

  boolean isIdle() {
    return calls.isEmpty();
  }

  /** Delivers the oldest call and its reply. */
  void answerOne() {
    Call call = calls.remove();
    store.reserve(call.bucket(), call.requests()).onComplete(call.reply());
  }

  /** Delivers the oldest call and drops its reply. */
  void loseReplyOfOne() {
    Call call = calls.remove();
    store.reserve(call.bucket(), call.requests());
    call.reply().fail("connection closed");
  }

  void answerAll() {
    while (!isIdle()) {
      answerOne();
    }
  }

  Future<ReserveReply> reserve(BucketId bucket, List<Request> requests) {
    Call call = new Call(bucket, requests, Promise.promise());
    calls.add(call);
    return call.reply().future();
  }

  Future<TokenPage> tokens(BucketId bucket, String from, int limit) {
    return store.tokens(bucket, from, limit);
  }

  Future<Lookup> lookup(BucketId bucket, List<OrderToken> tokens) {
    return store.lookup(bucket, tokens);
  }

  Future<Snapshot> snapshot(BucketId bucket, List<OrderToken> tokens, int unbookedMax) {
    return store.snapshot(bucket, tokens, unbookedMax);
  }
}
