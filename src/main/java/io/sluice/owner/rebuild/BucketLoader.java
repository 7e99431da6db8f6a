package io.sluice.owner.rebuild;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Bookings.Result;
import io.sluice.ledger.Bookings.Step;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Buckets.LoadRow;
import io.sluice.model.BucketId;
import io.sluice.owner.fencing.FenceLostException;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.fencing.Ownership;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockLoading.BucketTotal;
import io.sluice.stock.StockLoading.Frozen;
import io.sluice.stock.StockLoading.LoadHead;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * The two steps of loading a bucket from the ledger into Redis: the freeze, and the load up to the
 * opening. The {@link Rebuilder} does what is necessary between the two.
 */
public final class BucketLoader {
  public static final int PAGE_MAX = 1_000;

  /** What has become of a bucket. */
  enum Loaded {
    OPEN,
    /** Its orders and counters disagree: its SKU is frozen, and the bucket stays shut. */
    UNSOUND,
    /** It has ended, or left this partition, and nothing of it is in Redis here. */
    GONE
  }

  /**
   * A frozen bucket.
   *
   * @param row of the ledger, before the freeze
   * @param isGone whether it had ended by then, or was in another partition
   */
  record Marked(BucketRow row, boolean isGone, Frozen frozen, boolean wentBack) {
    /**
     * Whether the bucket was never open in its sale, so that no grant of it can be in flight. A
     * ledger that was restored to an earlier state may not know that it was open; Redis may.
     */
    boolean isFresh() {
      return row.isFresh() && frozen.epoch() <= row.epoch() && !wentBack;
    }

    /** Whether a grant from before may still become a yes. */
    boolean mustWait() {
      return !isFresh() && !isGone;
    }

    String mark() {
      return frozen.mark();
    }
  }

  private final OwnerContext context;
  private final Runnable progressed;
  private final UnreadLog unreadLog;

  /**
   * @param progressed called at each step of a load, which may take long
   */
  BucketLoader(OwnerContext context, Runnable progressed) {
    this.context = context;
    this.progressed = progressed;
    this.unreadLog = new UnreadLog(context);
  }

  /** Discards what is known of the log. */
  void restart() {
    unreadLog.restart();
  }

  /** Empty if there is no such bucket, or it is gone from here and Redis has nothing of it. */
  Future<Optional<Marked>> freeze(Optional<BucketRow> row) {
    return row.isEmpty()
        ? Future.succeededFuture(Optional.empty())
        : isToFreeze(row.get())
            .compose(
                isToFreeze ->
                    isToFreeze
                        ? mark(row.get()).map(Optional::of)
                        : Future.succeededFuture(Optional.empty()));
  }

  /**
   * Whether the bucket has ended, or left this partition with its SKU's next sale. It may have left
   * before it was deleted from Redis here: the outcome of that call was unknown, or its owner died.
   */
  private boolean isGone(BucketRow row) {
    return row.state().isEnded() || isElsewhere(row);
  }

  /**
   * Data that a bucket has left behind stay there while the log lacks records that Redis may know
   * instead. A ledger that was restored may not know yet that the bucket was here again.
   */
  private Future<Boolean> isToFreeze(BucketRow row) {
    if (!isGone(row)) {
      return Future.succeededFuture(true);
    }
    return context
        .stock()
        .hasAny(List.of(row.id()))
        .compose(
            any -> any && isElsewhere(row) ? unreadLog.isWhole() : Future.succeededFuture(any));
  }

  private boolean isElsewhere(BucketRow row) {
    return row.partition() != context.ownership().partition();
  }

  private Future<Marked> mark(BucketRow row) {
    Future<Void> droppable = isGone(row) ? Future.succeededFuture() : unreadLog.mayDrop(row);
    return droppable
        .compose(mayDrop -> context.stock().freeze(row.id(), context.ownership().term()))
        .compose(
            frozen ->
                expectOk(row.id(), frozen.code())
                    .map(
                        ours ->
                            new Marked(row, isGone(row), frozen, context.ownership().wentBack())));
  }

  /**
   * Raises the epoch, loads everything, and opens the bucket. All of it is one task of the {@link
   * io.sluice.async.ExecutionSequencer}. So head and pages show one state of the ledger, unless
   * another owner changes a cart of an earlier sale meanwhile. If the bucket ends with its epoch,
   * or is gone, it is deleted from Redis instead.
   */
  Future<Loaded> load(Marked one) {
    return context.sequencer().take("load of bucket " + one.row().id(), () -> loadInTurn(one));
  }

  private Future<Loaded> loadInTurn(Marked one) {
    BucketId bucket = one.row().id();
    Ownership ownership = context.ownership();
    if (ownership.isLost()) {
      return Future.failedFuture(new FenceLostException(ownership.partition()));
    }
    if (one.isGone()) {
      return unload(one);
    }
    return context
        .ledger()
        .raiseEpoch(ownership.fence(), bucket, one.frozen().epoch())
        .compose(
            raised ->
                raised.isPresent()
                    ? Future.succeededFuture(raised.get())
                    : Future.failedFuture(ownership.lose()))
        .compose(row -> row.state().isEnded() ? unload(one) : load(one, row));
  }

  private Future<Loaded> load(Marked one, BucketRow row) {
    BucketId bucket = row.id();
    return ceiling(context, row)
        .compose(
            ceiling ->
                context
                    .stock()
                    .load(bucket, context.ownership().term(), one.mark(), head(row, ceiling)))
        .compose(code -> expectOk(bucket, code))
        .compose(ok -> new Pages(row, one.mark()).load())
        .compose(liveUnits -> openIfSound(row, one.mark(), liveUnits));
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
  public static Future<BucketTotal> ceiling(OwnerContext context, BucketRow row) {
    return context
        .counts()
        .isRaised()
        .map(
            counted ->
                new BucketTotal(
                    row.version(),
                    row.total(),
                    row.state().inRedis(),
                    row.settings(),
                    row.skuTotal(),
                    counted));
  }

  private static LoadHead head(BucketRow row, BucketTotal ceiling) {
    return new LoadHead(row.epoch(), row.taken(), ceiling, row.saleNo());
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

    Pages(BucketRow row, String mark) {
      this.row = row;
      this.bucket = row.id();
      this.mark = mark;
      this.coming = read(Optional.empty());
    }

    /** Returns the units of the live orders. */
    Future<Long> load() {
      return AsyncLoop.whileTrue(() -> coming.compose(this::write)).map(done -> liveUnits);
    }

    private Future<List<LoadRow>> read(Optional<LoadRow> after) {
      progressed.run();
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
      }
      List<Recorded> page =
          rows.stream().map(each -> new Recorded(each.grant(), each.left(), false)).toList();
      return context
          .stock()
          .loadPage(bucket, context.ownership().term(), mark, page)
          .compose(code -> expectOk(bucket, code))
          .map(ok -> !isLast);
    }
  }

  private Future<Loaded> openIfSound(BucketRow row, String mark, long liveUnits) {
    if (liveUnits != row.taken()) {
      return expectOurs()
          .compose(ours -> expectSame(row))
          .compose(same -> freezeSku(row, liveUnits))
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
    return context
        .ledger()
        .bucket(row.id())
        .compose(
            now ->
                now.equals(Optional.of(row))
                    ? Future.succeededFuture()
                    : Future.failedFuture(new RebuildSupersededException(row.id())));
  }

  /**
   * Freezes the SKU. The fence was held until now, and the bucket has not changed, so the orders
   * that were counted are those of its head.
   */
  private Future<Void> freezeSku(BucketRow row, long liveUnits) {
    return context
        .ledger()
        .freezeSku(
            row.id().skuId(),
            "Expected live orders of bucket %s to hold %d units as its counters say, but they hold %d"
                .formatted(row.id(), row.taken(), liveUnits));
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
    return context
        .ledger()
        .apply(Step.check(ownership.fence()), List.of())
        .compose(
            result ->
                result instanceof Result.Applied
                    ? Future.succeededFuture()
                    : Future.failedFuture(ownership.lose()));
  }
}
