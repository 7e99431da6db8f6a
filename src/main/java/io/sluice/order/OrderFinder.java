package io.sluice.order;

import io.sluice.async.BatchReader;
import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.order.OrderAnswer.Known;
import io.sluice.order.OrderAnswer.NotNow;
import io.sluice.order.OrderAnswer.Unknown;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import io.sluice.stock.Stock;
import io.sluice.stock.StockStore.Lookup;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the current state of an order: from events, else from Redis if it is not booked yet, else
 * from the ledger. Only an open Redis and the ledger together can show that an order does not
 * exist.
 */
public final class OrderFinder {
  private static final int LOOKUP_MAX = 256;
  private static final int LOOKUPS_WAITING_MAX = 50_000;
  private static final int ENDS_WAITING_MAX = 100_000;

  private final SkuCatalog catalog;
  private final OrderCache cache;
  private final OrderReader ledger;
  private final TimerQueue deadlines;
  private final BatchReader<PlacedBucket, OrderToken, Lookup> redis;

  /** One look at a time; callers that come meanwhile share the next one. */
  private final BatchReader<BucketId, BucketId, Boolean> ends;

  OrderFinder(
      SkuCatalog catalog,
      OrderCache cache,
      LoopStores stores,
      OrderReader ledger,
      LoopContext loop) {
    Stock stock = stores.stock();
    this.deadlines = new TimerQueue(loop);
    this.catalog = catalog;
    this.cache = cache;
    this.ledger = ledger;
    this.ends =
        new BatchReader<>(
            1,
            ENDS_WAITING_MAX,
            (bucket, asked) ->
                stores
                    .ledger()
                    .bucket(bucket)
                    .map(row -> row.filter(now -> now.state().isEnded()).isPresent()));
    this.redis =
        new BatchReader<>(
            LOOKUP_MAX,
            LOOKUPS_WAITING_MAX,
            (bucket, tokens) -> stock.at(bucket.partition()).lookup(bucket.id(), tokens));
  }

  /** The order as known now; never fails. */
  Future<OrderAnswer> find(OrderToken token) {
    Order heard = current(token);
    return heard != null ? Future.succeededFuture(new Known(heard)) : findInStores(token);
  }

  /** An order of several SKUs is known by the token of its lead alone. */
  private static OrderAnswer unlessFollower(OrderAnswer found) {
    return found instanceof Known known && known.order().isFollower() ? new Unknown() : found;
  }

  /** The order as the stores have it, regardless of the cache; never fails. */
  Future<OrderAnswer> findInStores(OrderToken token) {
    Future<OrderAnswer> found =
        catalog
            .find(token.skuId())
            .compose(
                sku ->
                    sku.isEmpty() || token.bucket() >= sku.get().buckets()
                        ? Future.<OrderAnswer>succeededFuture(new Unknown())
                        : find(sku.get(), token));
    return deadlines
        .within(SkuCatalog.READ_MAX, found)
        .map(OrderFinder::unlessFollower)
        .otherwise(cause -> new NotNow(QueueFullException.isWhy(cause)));
  }

  private Future<OrderAnswer> find(Sku sku, OrderToken token) {
    if (!sku.state().isEnded()) {
      return findInSale(sku, token);
    }
    return askLedger(token, false, new Unknown())
        .compose(
            booked ->
                booked instanceof Known ? Future.succeededFuture(booked) : findAfterAnEnd(token));
  }

  /** It may be in its next sale by now, of which a grant is not booked yet. */
  private Future<OrderAnswer> findAfterAnEnd(OrderToken token) {
    return catalog
        .readAgain(token.skuId())
        .compose(
            now ->
                now.isEmpty() || now.get().state().isEnded()
                    ? askLedger(token, false, new Unknown())
                    : findInSale(now.get(), token));
  }

  private Future<OrderAnswer> findInSale(Sku sku, OrderToken token) {
    return sku.isDirect()
        ? askLedger(token, false, new Unknown())
        : askRedis(sku.placed(token.bucket()), token);
  }

  /** An order that is in the ledger according to Redis; empty or failed if it cannot be read. */
  public Future<Optional<Order>> findBooked(OrderToken token) {
    Order heard = current(token);
    return heard != null ? Future.succeededFuture(Optional.of(heard)) : ledger.read(token);
  }

  /** The same as the ledger has it now, whatever its events say. */
  public Future<Optional<Order>> readBooked(OrderToken token) {
    return ledger.read(token);
  }

  /** Where the bucket of an order is; empty if there is none. */
  Future<Optional<PlacedBucket>> bucketOf(OrderToken token) {
    return deadlines.within(SkuCatalog.READ_MAX, catalog.bucketOf(token));
  }

  /** The bucket of this order may be elsewhere. */
  void doubt(OrderToken token) {
    catalog.doubt(token.skuId());
  }

  /** Whether it is known that the status of this order cannot change. */
  boolean isOver(OrderToken token) {
    Order known = current(token);
    return known != null && OrderCache.isFinal(known);
  }

  private @Nullable Order current(OrderToken token) {
    return cache.current(token, catalog.known(token.skuId()));
  }

  private Future<OrderAnswer> askRedis(PlacedBucket bucket, OrderToken token) {
    return redis
        .read(bucket, token)
        .transform(
            lookup -> {
              Recorded recorded = lookup.succeeded() ? lookup.result().recorded().get(token) : null;
              if (recorded != null && recorded.unbooked() && cache.lastKnown(token) == null) {
                Order reserved = Order.reserved(recorded.grant());
                return Future.succeededFuture(new Known(reserved));
              }
              return askLedger(token, recorded != null, ifLedgerHasNone(lookup, recorded))
                  .compose(
                      answer ->
                          isAbsent(lookup)
                              ? withoutRedis(token, answer)
                              : Future.succeededFuture(answer));
            });
  }

  /** Redis has nothing of the bucket: it is elsewhere, or lost, or has ended. */
  private Future<OrderAnswer> withoutRedis(OrderToken token, OrderAnswer ofLedger) {
    if (ofLedger instanceof NotNow) {
      return unlessEnded(token, ofLedger);
    }
    doubt(token);
    return Future.succeededFuture(ofLedger);
  }

  /**
   * Redis has nothing of what has ended, so the ledger decides. It is asked once more: the order
   * may have been booked, and have ended, before its bucket did.
   */
  private Future<OrderAnswer> unlessEnded(OrderToken token, OrderAnswer notNow) {
    return catalog
        .readAgain(token.skuId())
        .compose(sku -> sku.isEmpty() ? Future.succeededFuture(false) : hasEnded(sku.get(), token))
        .compose(
            ended ->
                ended ? askLedger(token, false, new Unknown()) : Future.succeededFuture(notNow));
  }

  private Future<Boolean> hasEnded(Sku sku, OrderToken token) {
    return mayHaveEnded(sku)
        ? hasEnded(token.bucketId())
        : Future.succeededFuture(sku.state().isEnded());
  }

  /**
   * Whether buckets of this SKU may have ended before it. A bucket ends as soon as its last order
   * has, while others of its SKU may have orders for an hour. From then on Redis has nothing of it,
   * and the ledger alone answers.
   */
  public static boolean mayHaveEnded(Sku sku) {
    return sku.state() == SkuState.ENDING;
  }

  /** Whether a bucket has ended of a SKU that is about to; fails if it cannot be read now. */
  public Future<Boolean> hasEnded(BucketId bucket) {
    return ends.read(bucket, bucket);
  }

  /** A row that must exist according to Redis may just be being committed, so it is read twice. */
  private Future<OrderAnswer> askLedger(OrderToken token, boolean lookTwice, OrderAnswer ifNone) {
    return ledger
        .read(token)
        .compose(
            order ->
                order.isEmpty() && lookTwice ? ledger.read(token) : Future.succeededFuture(order))
        .map(order -> order.isPresent() ? new Known(order.get()) : ifNone);
  }

  private static boolean isAbsent(AsyncResult<Lookup> lookup) {
    return lookup.succeeded() && lookup.result().code() == BucketCode.ABSENT;
  }

  private static OrderAnswer ifLedgerHasNone(
      AsyncResult<Lookup> lookup, @Nullable Recorded recorded) {
    if (lookup.failed()) {
      return new NotNow(false);
    }
    boolean openAndUnknown = lookup.result().code() == BucketCode.OK && recorded == null;
    return openAndUnknown ? new Unknown() : new NotNow(true);
  }
}
