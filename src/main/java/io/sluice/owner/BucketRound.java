package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Stamp;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Decides which buckets of a partition are looked at, and when; each look costs a call to Redis.
 *
 * <p>Buckets that are open and quiet are checked many at a time, at little cost, so that a round
 * over all of them takes {@link #ROUND_STEPS} steps however many they are. If a group is not quiet,
 * its page is read from the ledger and each bucket of it is looked at. A step handles at most
 * {@link #LOUD_MAX} such pages; then the round takes longer.
 *
 * <p>A slow walk over all pages of the ledger finds what only the ledger knows, including buckets
 * that are not known here yet. Those that this owner has loaded are known at once. After a restart
 * the walk comes first, without pauses.
 *
 * <p>If the walk has found a bucket in order, and Redis has written nothing since, the bucket is
 * not looked at again unless its row in the ledger changes. Once that is so for all of them, none
 * is checked, and the walk is slower.
 */
final class BucketRound {
  static final int PAGE_MAX = 100;

  /** Each step is half a second, so a round takes 4 s, and overdue grants are swept within 5 s. */
  static final int ROUND_STEPS = 8;

  /** The maximum number of pages with activity that one step handles. */
  static final int LOUD_MAX = 4;

  /** The slow walk reads one page each time this many steps are done. */
  static final int WALK_EVERY = 4;

  /** The same while all buckets are known to be in order. */
  static final int IDLE_WALK_EVERY = 10;

  private final Ledger ledger;
  private final int partition;
  private final StockStore stock;
  private final Runnable beginsRound;
  private final Function<BucketRow, Future<Boolean>> look;
  private final FoundInOrder inOrder = new FoundInOrder();
  private final NavigableSet<BucketId> known = new TreeSet<>();
  private Optional<BucketId> walkedTo = Optional.empty();
  private Optional<BucketId> glancedTo = Optional.empty();
  private boolean walkedAll;
  private int steps;

  /**
   * How far the checks are behind, in buckets times {@link #ROUND_STEPS}: each step adds all
   * buckets, so that a group is due when as many buckets are as it has.
   */
  private long behind;

  /**
   * @param beginsRound called before the first look of each round
   * @param look returns whether the bucket is in order
   */
  BucketRound(
      OwnerContext context, Runnable beginsRound, Function<BucketRow, Future<Boolean>> look) {
    this.ledger = context.ledger();
    this.partition = context.ownership().partition();
    this.stock = context.stock();
    this.beginsRound = beginsRound;
    this.look = look;
  }

  /** Redis has restarted: all buckets are looked at, without pauses. */
  void restart() {
    walkedTo = Optional.empty();
    glancedTo = Optional.empty();
    walkedAll = false;
  }

  /** Adds a bucket that was loaded. */
  void add(BucketId bucket) {
    known.add(bucket);
  }

  /** Removes a bucket that is gone. */
  void remove(BucketId bucket) {
    known.remove(bucket);
    inOrder.remove(bucket);
  }

  /**
   * Whether Redis has written nothing since all buckets were found in order.
   *
   * @param now of Redis
   */
  boolean isIdle(Stamp now) {
    inOrder.at(now);
    return walkedAll && inOrder.count() == known.size();
  }

  /**
   * Does one step; true if more is due at once.
   *
   * @param now of Redis, read just before
   */
  Future<Boolean> step(Stamp now) {
    inOrder.at(now);
    if (!walkedAll) {
      if (walkedTo.isEmpty()) {
        beginsRound.run();
      }
      return walk().map(done -> !walkedAll);
    }
    steps++;
    int walkEvery = isIdle(now) ? IDLE_WALK_EVERY : WALK_EVERY;
    Future<Void> before = steps % walkEvery == 0 ? walk() : Future.succeededFuture();
    return before
        .compose(walked -> isIdle(now) ? Future.succeededFuture() : new Part().glance())
        .map(false);
  }

  private Future<Void> walk() {
    Optional<BucketId> after = walkedTo;
    return page(after)
        .compose(
            rows -> {
              boolean full = rows.size() == PAGE_MAX;
              walkedTo = full ? Optional.of(rows.get(PAGE_MAX - 1).id()) : Optional.empty();
              walkedAll |= !full;
              return lookAtAll(rows.stream().filter(row -> !inOrder.has(row)).toList());
            });
  }

  private Future<List<BucketRow>> page(Optional<BucketId> after) {
    return ledger
        .buckets(partition, after, PAGE_MAX)
        .onSuccess(rows -> rows.forEach(row -> known.add(row.id())));
  }

  private Future<Void> lookAtAll(List<BucketRow> rows) {
    return Future.join(rows.stream().map(this::lookAt).toList()).mapEmpty();
  }

  private Future<Void> lookAt(BucketRow row) {
    return look.apply(row)
        .onSuccess(
            isInOrder -> {
              if (isInOrder) {
                inOrder.add(row);
              }
            })
        .mapEmpty();
  }

  /** The part of a round that one step does. */
  private final class Part {
    private int loudLeft = LOUD_MAX;

    Future<Void> glance() {
      long all = known.size();
      behind = Math.min(behind + all, all * ROUND_STEPS);
      return AsyncLoop.whileTrue(this::next);
    }

    private Future<Boolean> next() {
      Optional<BucketId> after = glancedTo;
      List<BucketId> group = groupAfter(after);
      long due = (long) group.size() * ROUND_STEPS;
      if (known.isEmpty() || due > behind || loudLeft == 0) {
        return Future.succeededFuture(false);
      }
      behind -= due;
      if (after.isEmpty()) {
        beginsRound.run();
      }
      if (group.isEmpty()) {
        glancedTo = Optional.empty();
        return Future.succeededFuture(false);
      }
      return stock
          .areQuiet(group)
          .compose(
              quiet -> {
                boolean last = group.size() < PAGE_MAX;
                glancedTo = last ? Optional.empty() : Optional.of(group.get(PAGE_MAX - 1));
                return quiet ? Future.succeededFuture() : lookAtPage(after);
              })
          .map(done -> glancedTo.isPresent());
    }

    /**
     * Ends at the same bucket as the ledger's page, which may contain buckets that were not known.
     */
    private Future<Void> lookAtPage(Optional<BucketId> after) {
      loudLeft--;
      return page(after)
          .compose(
              rows -> {
                boolean full = rows.size() == PAGE_MAX;
                glancedTo = full ? Optional.of(rows.get(PAGE_MAX - 1).id()) : Optional.empty();
                return lookAtAll(rows);
              });
    }
  }

  private List<BucketId> groupAfter(Optional<BucketId> after) {
    List<BucketId> group = new ArrayList<>(PAGE_MAX);
    for (BucketId bucket : after.map(from -> known.tailSet(from, false)).orElse(known)) {
      if (group.size() == PAGE_MAX) {
        break;
      }
      group.add(bucket);
    }
    return group;
  }
}
