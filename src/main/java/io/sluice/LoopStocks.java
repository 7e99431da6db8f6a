package io.sluice;

import io.sluice.async.LoopContext;
import io.sluice.stock.StockConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The connections to Redis that the event loops of the two ports have, one each. */
final class LoopStocks {
  private final Vertx vertx;
  private final Supplier<StockConnection> made;
  private final List<Started> all = new CopyOnWriteArrayList<>();

  /** A store and the context that it belongs to. */
  private record Started(StockConnection store, Context context) {
    Future<Void> close() {
      return Future.future(closed -> context.runOnContext(now -> store.close().onComplete(closed)));
    }
  }

  LoopStocks(Vertx vertx, Supplier<StockConnection> made) {
    this.vertx = vertx;
    this.made = made;
  }

  /**
   * One more, of the calling event loop. Connecting is retried by the store itself; until it
   * succeeds, calls fail at once.
   */
  StockConnection started() {
    StockConnection stock = made.get();
    all.add(new Started(stock, vertx.getOrCreateContext()));
    stock.start();
    return stock;
  }

  /** Whether every one is connected. */
  boolean areUp() {
    return all.stream().allMatch(started -> started.store().isUp());
  }

  /** The calls that some of them cannot make, in words; empty: none. */
  String outage() {
    return all.stream()
        .map(started -> started.store().outage())
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse("");
  }

  Future<Void> close() {
    return Future.join(all.stream().map(Started::close).toList()).mapEmpty();
  }

  /** The calling event loop. */
  LoopContext loop() {
    Context context = vertx.getOrCreateContext();
    return new LoopContext(
        System::nanoTime,
        delay -> vertx.timer(delay.toNanos(), TimeUnit.NANOSECONDS).mapEmpty(),
        task -> context.runOnContext(now -> task.run()));
  }
}
