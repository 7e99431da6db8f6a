package io.sluice.order;

import io.sluice.async.Batcher.KeyedBatcher;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.ledger.DirectLedger;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.order.CommandAnswer.NotNow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Commands on orders of SKUs that sell in the ledger alone: one transaction here, which those share
 * that arrive together for a bucket. After a failure the outcome is unknown, and the caller repeats
 * the call.
 */
final class DirectCommands {
  static final int BATCH_MAX = 128;

  /** An order of which a command is on its way. */
  private record Waiting(Command command, Promise<Map<OrderToken, Order>> applied) {}

  private final DirectLedger ledger;
  private final OrderCache cache;
  private final TimerQueue deadlines;
  private final Duration wait;
  private final KeyedBatcher<BucketId, Waiting> lanes = new KeyedBatcher<>(BATCH_MAX, this::send);
  private int underWay;

  DirectCommands(DirectLedger ledger, OrderCache cache, LoopContext loop, Duration wait) {
    this.ledger = ledger;
    this.cache = cache;
    this.deadlines = new TimerQueue(loop);
    this.wait = wait;
  }

  /** Applies a command and tells its outcome; never fails. */
  Future<CommandAnswer> run(CommandGoal goal, OrderToken token, Command command) {
    if (underWay >= CommandOutcomes.COMMANDS_MAX) {
      return Future.succeededFuture(new NotNow(true));
    }
    underWay++;
    Waiting waiting = new Waiting(command, Promise.promise());
    waiting.applied().future().onComplete(done -> underWay--);
    lanes.add(token.bucketId(), waiting);
    return deadlines
        .within(wait, waiting.applied().future())
        .map(
            orders -> {
              Order order = orders.get(token);
              return order == null
                  ? new NotNow(true)
                  : goal.outcomeOf(order).orElse(new NotNow(true));
            })
        .otherwise(new NotNow(false));
  }

  private Future<Void> send(BucketId bucket, List<Waiting> batch) {
    OrderCache.HeardTerms.Until asOf = cache.asOf();
    return Future.succeededFuture(batch.stream().map(Waiting::command).toList())
        .compose(ledger::apply)
        .onComplete(
            (orders, failure) -> {
              if (orders != null) {
                orders.values().forEach(order -> cache.learn(order, asOf));
              }
              batch.forEach(waiting -> waiting.applied().complete(orders, failure));
            })
        .mapEmpty();
  }
}
