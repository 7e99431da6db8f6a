package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.SkuState;
import io.sluice.owner.RebuildRequest.Loaded;
import io.sluice.owner.RebuildRequest.Marked;
import io.sluice.owner.RebuildRequest.RebuildSupersededException;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.LoadHead;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The two steps of loading buckets from the ledger into Redis: the freeze, and the load up to the
 * opening. The {@link Rebuilder} does what is necessary between the two.
 *
 * <p>A request for a bucket of a sale with carts is completed by all buckets of the sale. Orders
 * have lines in several of them, and a grant that is dropped with one bucket must not be left in
 * the others. Two kinds of buckets drop no grant, and are frozen alone. A fresh one has none. One
 * that ends, closed for good, drops none once all its grants are booked.
 */
final class BucketLoader {
  static final int PAGE_MAX = 1_000;

  private final OwnerContext context;
  private final RebuildQueue requests;
  private final BackgroundTask task;
  private final UnreadLog unreadLog;

  /**
   * @param task which freezes and loads, and may take long
   */
  BucketLoader(OwnerContext context, RebuildQueue requests, BackgroundTask task) {
    this.context = context;
    this.requests = requests;
    this.task = task;
    this.unreadLog = new UnreadLog(context);
  }

  /** Discards what is known of the log. */
  void restart() {
    unreadLog.restart();
  }

  /**
   * Freezes all buckets of the request, its own first: only Redis and the ledger together tell
   * whether it is fresh. Other requests for them join it.
   */
  Future<Void> freeze(RebuildRequest request, long nowMs) {
    request.begins();
    return row(request.bucket())
        .compose(
            row ->
                isShared(row) ? freezeShared(request, row, nowMs) : freezeAll(request, row, nowMs));
  }

  private Future<BucketRow> row(BucketId bucket) {
    return context
        .ledger()
        .bucket(bucket)
        .map(found -> found.orElseGet(() -> BucketRow.deleted(bucket)));
  }

  private boolean isShared(BucketRow row) {
    return row.carts() && !context.ownership().isGone(row);
  }

  private Future<Void> freezeShared(RebuildRequest request, BucketRow row, long nowMs) {
    return hasAllBooked(request, row)
        .compose(
            ends ->
                freeze(request, row, nowMs)
                    .compose(
                        marked ->
                            request.isOfOne()
                                    && (ends || marked.filter(Marked::isFresh).isPresent())
                                ? Future.succeededFuture()
                                : ofSale(row.id().skuId())
                                    .onSuccess(all -> requests.addTo(request, all))
                                    .compose(all -> freezeOthers(request, nowMs))));
  }

  /**
   * Whether the bucket ends and no grant of it is unbooked. It is closed for good then, so that
   * stays true whatever becomes of Redis, but not in a ledger that is restored.
   */
  private Future<Boolean> hasAllBooked(RebuildRequest request, BucketRow row) {
    if (row.state() != SkuState.ENDING || context.ownership().wentBack()) {
      return Future.succeededFuture(false);
    }
    return request.hasAllBooked()
        ? Future.succeededFuture(true)
        : context
            .stock()
            .snapshot(row.id(), List.of(), 0)
            .map(seen -> isClosedAndBooked(row, seen))
            .onSuccess(request::hasAllBooked);
  }

  private static boolean isClosedAndBooked(BucketRow row, Snapshot seen) {
    return seen.code() == BucketCode.OK
        && seen.epoch() == row.epoch()
        && seen.version() >= row.version()
        && seen.unbookedCount() == 0;
  }

  private Future<Void> freezeAll(RebuildRequest request, BucketRow first, long nowMs) {
    return freeze(request, first, nowMs).compose(marked -> freezeOthers(request, nowMs));
  }

  private Future<Void> freezeOthers(RebuildRequest request, long nowMs) {
    return AsyncLoop.forEach(
        request.buckets().stream().filter(bucket -> !bucket.equals(request.bucket())).toList(),
        bucket -> row(bucket).compose(row -> freeze(request, row, nowMs)));
  }

  private Future<Optional<Marked>> freeze(RebuildRequest request, BucketRow row, long nowMs) {
    task.progressed();
    return freeze(row).onSuccess(marked -> marked.ifPresent(one -> request.isFrozen(one, nowMs)));
  }

  private Future<List<BucketId>> ofSale(long skuId) {
    int partition = context.ownership().partition();
    return AsyncLoop.pages(
        PAGE_MAX, after -> context.ledger().ofSameSale(partition, skuId, after, PAGE_MAX));
  }

  /** Empty if it is gone from here, or was deleted, and Redis has nothing of it. */
  private Future<Optional<Marked>> freeze(BucketRow row) {
    return isToFreeze(row)
        .compose(
            isToFreeze ->
                isToFreeze
                    ? mark(row).map(Optional::of)
                    : Future.succeededFuture(Optional.empty()));
  }

  /**
   * Data that a bucket has left behind stay there while the log lacks records that Redis may know
   * instead. A ledger that was restored may not know yet that the bucket was here again, or made
   * again.
   */
  private Future<Boolean> isToFreeze(BucketRow row) {
    if (!context.ownership().isGone(row)) {
      return Future.succeededFuture(true);
    }
    return context
        .stock()
        .hasAny(List.of(row.id()))
        .compose(
            any ->
                any && context.ownership().isElsewhere(row)
                    ? unreadLog.isWhole()
                    : Future.succeededFuture(any));
  }

  private Future<Marked> mark(BucketRow row) {
    // One may have left before it was deleted here: that call's outcome was unknown, or its owner
    // died.
    boolean isGone = context.ownership().isGone(row);
    return (isGone ? Future.<Void>succeededFuture() : unreadLog.mayDrop(row))
        .compose(mayDrop -> context.stock().freeze(row.id(), context.ownership().term()))
        .compose(
            frozen ->
                expectOk(row.id(), frozen.code())
                    .map(ours -> new Marked(row, isGone, frozen, context.ownership().wentBack())));
  }

  /**
   * Raises the epoch, loads everything, and opens the bucket. All of it is one task of the {@link
   * io.sluice.async.ExecutionSequencer}. So head and pages show one state of the ledger, unless
   * another owner changes a cart of an earlier sale meanwhile. If the bucket ends with its epoch,
   * or is gone, it is deleted from Redis instead.
   */
  Future<Loaded> load(Marked one) {
    return context.inTurn("load of bucket " + one.row().id(), () -> loadInTurn(one));
  }

  private Future<Loaded> loadInTurn(Marked one) {
    BucketId bucket = one.row().id();
    Ownership ownership = context.ownership();
    if (one.isGone()) {
      return unload(one);
    }
    return (one.isFresh() ? stillFresh(one) : stillShut(one))
        .compose(
            shut ->
                context
                    .ledger()
                    .raiseEpoch(ownership.fence(), bucket, shut.frozen().epoch())
                    .compose(raised -> ownership.expectHeld(raised))
                    .compose(row -> row.state().isEnded() ? unload(shut) : load(shut, row)));
  }

  /**
   * Fails if the log has told otherwise since: then it has not waited for grants that are in
   * flight, as it must. If not, nobody has opened it anywhere.
   */
  private Future<Marked> stillFresh(Marked one) {
    return expect(one.row().id(), now -> now.epoch() == one.row().epoch()).map(one);
  }

  /**
   * Freezes it once more, and fails if that is in another Redis. If this owner was cut off from the
   * others together with a former primary, they may still sell in the epoch that is to end. Once
   * the wait for earlier grants is over, such a primary refuses to write.
   */
  private Future<Marked> stillShut(Marked one) {
    BucketId bucket = one.row().id();
    return context
        .stock()
        .freeze(bucket, context.ownership().term())
        .compose(
            frozen -> {
              boolean isElsewhere = frozen.code() == BucketCode.OK && !frozen.isWhere(one.frozen());
              return expectOk(bucket, isElsewhere ? BucketCode.SUPERSEDED : frozen.code())
                  .map(ours -> one.with(frozen));
            });
  }

  private Future<Loaded> load(Marked one, BucketRow row) {
    BucketId bucket = row.id();
    return context
        .stock()
        .load(bucket, context.ownership().term(), one.mark(), head(row))
        .compose(code -> expectOk(bucket, code))
        .compose(ok -> new Pages(row, one.mark()).load())
        .compose(units -> openIfSound(row, one.mark(), units));
  }

  private Future<Loaded> unload(Marked one) {
    BucketId bucket = one.row().id();
    return context
        .stock()
        .unload(bucket, context.ownership().term(), one.mark())
        .compose(code -> expectOk(bucket, code))
        .map(Loaded.GONE);
  }

  /** The bucket's total, settings and state for Redis. */
  static BucketTotal ceiling(BucketRow row) {
    return new BucketTotal(
        row.version(), row.total(), row.state().inRedis(), row.settings(), row.skuTotal());
  }

  private static LoadHead head(BucketRow row) {
    return new LoadHead(row.epoch(), row.counted(), ceiling(row), row.saleNo());
  }

  /**
   * Loads the orders of a bucket page by page. The next page is read while one is written;
   * meanwhile nothing changes in the ledger.
   */
  private final class Pages {
    private final BucketRow row;
    private final BucketId bucket;
    private final String mark;
    private Future<List<LoadRow>> coming;
    private long liveUnits;
    private long withdrawn;

    Pages(BucketRow row, String mark) {
      this.row = row;
      this.bucket = row.id();
      this.mark = mark;
      this.coming = read(Optional.empty());
    }

    /** Returns the units of its orders. */
    Future<LoadedUnits> load() {
      return AsyncLoop.whileTrue(() -> coming.compose(this::write))
          .map(done -> new LoadedUnits(liveUnits, withdrawn));
    }

    private Future<List<LoadRow>> read(Optional<LoadRow> after) {
      task.progressed();
      context.sequencer().progressed();
      return context.ledger().loadRows(row, after, PAGE_MAX);
    }

    /** Whether there may be another page. */
    private Future<Boolean> write(List<LoadRow> rows) {
      if (rows.isEmpty()) {
        return Future.succeededFuture(false);
      }
      boolean isLast = rows.size() < PAGE_MAX;
      if (!isLast) {
        coming = read(Optional.of(rows.get(rows.size() - 1)));
      }
      for (LoadRow each : rows) {
        liveUnits += each.left();
        withdrawn += each.withdrawn();
      }
      List<Recorded> page =
          rows.stream()
              .map(
                  each ->
                      new Recorded(
                          each.grant(), each.left(), each.live() ? each.withdrawn() : 0, false))
              .toList();
      return context
          .stock()
          .loadPage(bucket, context.ownership().term(), mark, page)
          .compose(code -> expectOk(bucket, code))
          .map(ok -> !isLast);
    }
  }

  /**
   * What the orders of a bucket say of its counters.
   *
   * @param live units of live orders
   * @param withdrawn units of orders that have left the stock
   */
  private record LoadedUnits(long live, long withdrawn) {
    boolean areThoseOf(BucketRow row) {
      return live == row.taken() && withdrawn == row.withdrawn();
    }
  }

  private Future<Loaded> openIfSound(BucketRow row, String mark, LoadedUnits units) {
    if (!units.areThoseOf(row)) {
      return expectOurs()
          .compose(ours -> expectSame(row))
          .compose(same -> freezeSku(row, units))
          .map(Loaded.UNSOUND);
    }
    return context
        .stock()
        .open(row.id(), context.ownership().term(), mark)
        .compose(code -> expectOk(row.id(), code))
        .map(Loaded.OPEN);
  }

  /**
   * Fails if the bucket has changed since its head was read; it is loaded anew then. The lead of a
   * cart may have gone on to a sale in another partition, whose owner ends all lines of the cart.
   * That only lowers what they hold, so a row that is the same has not changed in between.
   */
  private Future<Void> expectSame(BucketRow row) {
    return expect(row.id(), row::equals);
  }

  /** Reads the row once more. */
  private Future<Void> expect(BucketId bucket, Predicate<BucketRow> holds) {
    return row(bucket)
        .compose(
            now ->
                holds.test(now)
                    ? Future.succeededFuture()
                    : Future.failedFuture(new RebuildSupersededException(bucket)));
  }

  /**
   * Freezes the SKU. The fence was held until now, and the bucket has not changed, so the orders
   * that were counted are those of its head.
   */
  private Future<Void> freezeSku(BucketRow row, LoadedUnits units) {
    return context
        .ledger()
        .freezeSku(
            row.id().skuId(),
            "Expected live orders of bucket %s to hold %d units as its counters say, but they hold %d"
                    .formatted(row.id(), row.taken(), units.live())
                + (units.withdrawn() == row.withdrawn()
                    ? ""
                    : "; and %d to have left the stock, but %d have"
                        .formatted(row.withdrawn(), units.withdrawn())));
  }

  /**
   * A higher term in Redis normally means that the partition has another owner; the ledger's fence
   * decides.
   */
  private Future<Void> expectOk(BucketId bucket, BucketCode code) {
    if (code == BucketCode.OK) {
      return Future.succeededFuture();
    }
    Future<Void> failed = Future.failedFuture(new RebuildSupersededException(bucket, code));
    return code == BucketCode.STALE_TERM ? expectOurs().compose(ours -> failed) : failed;
  }

  /**
   * Fails if another owner has the partition. Does not use the {@link
   * io.sluice.async.ExecutionSequencer}, since the load already runs in it.
   */
  private Future<Void> expectOurs() {
    Ownership ownership = context.ownership();
    Batch nothing = new Batch(Step.check(ownership.fence()), List.of(), true);
    return context
        .owned()
        .alone()
        .apply(nothing)
        .compose(result -> ownership.expectHeld(result instanceof Result.Applied));
  }
}
