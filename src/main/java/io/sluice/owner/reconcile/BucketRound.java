package io.sluice.owner.reconcile;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Which buckets of a partition are looked at, and when; each look costs a call of Redis.
 *
 * <p>Buckets that are there, and at which nothing happens, are passed over many at a time, at next
 * to no cost, so that a round over all of them takes {@link #ROUND_STEPS} steps however many they
 * are. Where a part of the round is not quiet, its page is read from the ledger, and each bucket of
 * it looked at; of such pages a step takes a few at most, and the round takes longer.
 *
 * <p>What only the ledger can tell is found by a slow walk over all its pages, which also finds
 * buckets that are not known yet; those that this owner has loaded are known at once. After a
 * restart the walk goes first, page after page.
 */
final class BucketRound {
  static final int PAGE_MAX = 100;

  /** Of half a second each: a round of 4 s, so that what is overdue is swept within 5 s. */
  static final int ROUND_STEPS = 8;

  /** Pages in which something happens that a step takes. */
  static final int LOUD_MAX = 4;

  /** Steps from one page of the slow walk to the next. */
  static final int WALK_EVERY = 4;

  private final Ledger ledger;
  private final int partition;
  private final StockStore stock;
  private final Runnable beginsRound;
  private final Function<BucketRow, Future<Void>> look;
  private final NavigableSet<BucketId> known = new TreeSet<>();
  private Optional<BucketId> walkedTo = Optional.empty();
  private Optional<BucketId> glancedTo = Optional.empty();
  private boolean walkedAll;
  private int steps;

  /** {@code beginsRound} is told before the first look of each round. */
  BucketRound(OwnerContext context, Runnable beginsRound, Function<BucketRow, Future<Void>> look) {
    this.ledger = context.ledger();
    this.partition = context.ownership().partition();
    this.stock = context.stock();
    this.beginsRound = beginsRound;
    this.look = look;
  }

  /** Redis is another process than before: all are looked at, at once. */
  void restart() {
    walkedTo = Optional.empty();
    glancedTo = Optional.empty();
    walkedAll = false;
  }

  /** This bucket has been loaded. */
  void add(BucketId bucket) {
    known.add(bucket);
  }

  /** True where more is due at once. */
  Future<Boolean> step() {
    if (!walkedAll) {
      if (walkedTo.isEmpty()) {
        beginsRound.run();
      }
      return walk().map(done -> !walkedAll);
    }
    steps++;
    Future<Void> before = steps % WALK_EVERY == 0 ? walk() : Future.succeededFuture();
    return before.compose(walked -> new Part().glance()).map(false);
  }

  private Future<Void> walk() {
    Optional<BucketId> after = walkedTo;
    return page(after)
        .compose(
            rows -> {
              boolean full = rows.size() == PAGE_MAX;
              walkedTo = full ? Optional.of(rows.get(PAGE_MAX - 1).id()) : Optional.empty();
              walkedAll |= !full;
              return lookAtAll(rows);
            });
  }

  private Future<List<BucketRow>> page(Optional<BucketId> after) {
    return ledger
        .buckets(partition, after, PAGE_MAX)
        .onSuccess(rows -> rows.forEach(row -> known.add(row.id())));
  }

  private Future<Void> lookAtAll(List<BucketRow> rows) {
    return Future.join(rows.stream().map(look).toList()).mapEmpty();
  }

  /** What a step takes of a round. */
  private final class Part {
    private int left = (known.size() + ROUND_STEPS - 1) / ROUND_STEPS;
    private int loudLeft = LOUD_MAX;

    Future<Void> glance() {
      return AsyncLoop.whileTrue(this::next);
    }

    private Future<Boolean> next() {
      if (left <= 0 || loudLeft == 0) {
        return Future.succeededFuture(false);
      }
      if (glancedTo.isEmpty()) {
        beginsRound.run();
      }
      Optional<BucketId> after = glancedTo;
      List<BucketId> group = groupAfter(after);
      left -= PAGE_MAX;
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

    /** Ends where the ledger's page does, which may have buckets that were not known. */
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
