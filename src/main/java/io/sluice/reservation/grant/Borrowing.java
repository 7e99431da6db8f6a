package io.sluice.reservation.grant;

import io.sluice.async.Batcher;
import io.sluice.async.LoopContext;
import io.sluice.ledger.Levels;
import io.sluice.ledger.Moves.Borrow;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.reservation.order.LevelGate;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks owners for units where a bucket is empty and others are not; docs/design.md section 9. One
 * per event loop. No buyer waits for it: who asks again finds the units.
 */
public final class Borrowing {
  /** The maximum number of buckets known; one that is not known has asked for nothing. */
  static final int BUCKETS_MAX = 4_096;

  /** The pause after a request was left for a bucket, unless units have come since. */
  static final Duration ASK_EVERY = Duration.ofMillis(100);

  /** How long another instance may believe that no unit moves, after the ledger has said so. */
  static final Duration NO_FOR = Duration.ofSeconds(1);

  /** How long this one waits from when it knows that units may move, so that all others know it. */
  static final Duration BEGINS_AFTER = Duration.ofMillis(2_500);

  /** How long a bucket whose owner did not serve a request is not asked. */
  static final Duration AVOIDED_FOR = Duration.ofSeconds(5);

  /** A bucket is asked beside the one with most if that has no more than so many times as much. */
  static final int ABOUT_AS_MUCH = 2;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Logger log = LoggerFactory.getLogger(Borrowing.class);

  private final SkuLedger ledger;
  private final LoopContext loop;
  private final LevelGate gate;
  private final Runnable asked;
  private final Batcher<Borrow> requests;

  /** By the bucket that asks, in the order in which they became known. */
  private final Map<PlacedBucket, Wishes> buckets = new LinkedHashMap<>();

  private @Nullable Long raisedNanos;

  private static final class Wishes {
    /** Units that were asked of the bucket in this second, and in the one before. */
    long now;

    long before;
    long secondNanos;
    boolean asking;
    long askedNanos;
    boolean hasAsked;
    int lender = -1;
    int avoided = -1;
    long avoidedNanos;
  }

  /**
   * @param asked called after requests were left, so that owners look for them
   */
  public Borrowing(SkuLedger ledger, LoopContext loop, Levels levels, Runnable asked) {
    this.ledger = ledger;
    this.loop = loop;
    this.gate = new LevelGate(levels, Levels.MOVES, loop);
    this.asked = asked;
    this.requests = new Batcher<>(Batcher.Limits.ofItems(1, SkuLedger.BORROWS_MAX), this::leave);
    levels.isOf(Levels.MOVES).onSuccess(this::noteLevel);
  }

  /** Whether units may have moved; a no is true for {@link #NO_FOR}. */
  Future<Boolean> mayHaveMoved() {
    return gate.isRaised().onSuccess(this::noteLevel);
  }

  private void noteLevel(boolean raised) {
    if (raised && raisedNanos == null) {
      raisedNanos = loop.now();
    }
  }

  private boolean mayBegin() {
    Long since = raisedNanos;
    return since != null && loop.since(since).compareTo(BEGINS_AFTER) >= 0;
  }

  /** Counts units that buyers ask of a bucket of a SKU that has several. */
  void wished(PlacedBucket bucket, long units) {
    if (raisedNanos == null) {
      mayHaveMoved();
    }
    Wishes wishes = buckets.get(bucket);
    if (wishes == null) {
      if (buckets.size() >= BUCKETS_MAX) {
        buckets.remove(buckets.keySet().iterator().next());
      }
      wishes = new Wishes();
      wishes.secondNanos = loop.now();
      buckets.put(bucket, wishes);
    }
    long seconds = loop.since(wishes.secondNanos).toNanos() / SECOND.toNanos();
    if (seconds > 0) {
      wishes.before = seconds == 1 ? wishes.now : 0;
      wishes.now = 0;
      wishes.secondNanos += seconds * SECOND.toNanos();
    }
    wishes.now += units;
  }

  /** Units of a bucket were granted, so that it may be empty again already. */
  void granted(PlacedBucket bucket) {
    Wishes wishes = buckets.get(bucket);
    if (wishes != null) {
      wishes.hasAsked = false;
    }
  }

  /**
   * Asks for units for a bucket, unless it has just asked.
   *
   * @param need the units that it must have for the buyer who was refused
   * @param lenders buckets that have units, the one with most first
   */
  void ask(Sku sku, PlacedBucket bucket, int need, List<FilledBucket> lenders) {
    mayHaveMoved()
        .onSuccess(
            raised -> {
              Wishes wishes = buckets.get(bucket);
              if (raised && mayBegin() && wishes != null && mayAsk(wishes)) {
                int from = chosen(wishes, sku.buckets(), bucket.id().bucket(), lenders);
                if (from >= 0) {
                  ask(sku, bucket, wishes, need, from);
                }
              }
            });
  }

  private boolean mayAsk(Wishes wishes) {
    return !wishes.asking
        && (!wishes.hasAsked || loop.since(wishes.askedNanos).compareTo(ASK_EVERY) >= 0);
  }

  /**
   * The next in the ring of buckets among those that have about as much as the one with most: so
   * buckets that are empty at the same time ask different ones, each of which may give all it has.
   */
  private int chosen(Wishes wishes, int buckets, int asking, List<FilledBucket> lenders) {
    boolean avoids =
        wishes.avoided >= 0 && loop.since(wishes.avoidedNanos).compareTo(AVOIDED_FOR) < 0;
    List<FilledBucket> others = lenders.stream().filter(each -> each.bucket() != asking).toList();
    List<FilledBucket> willing =
        others.stream().filter(each -> !avoids || each.bucket() != wishes.avoided).toList();
    List<FilledBucket> asked = willing.isEmpty() ? others : willing;
    return asked.stream()
        .filter(each -> each.units() * ABOUT_AS_MUCH >= asked.get(0).units())
        .mapToInt(FilledBucket::bucket)
        .boxed()
        .min(Comparator.comparingInt(each -> Math.floorMod(each - asking, buckets)))
        .orElse(-1);
  }

  private void ask(Sku sku, PlacedBucket bucket, Wishes wishes, int need, int from) {
    wishes.asking = true;
    wishes.hasAsked = true;
    wishes.askedNanos = loop.now();
    wishes.lender = from;
    long most = Math.max(need, Math.max(wishes.now, wishes.before));
    requests.add(new Borrow(sku.placed(from), bucket, sku.saleNo(), need, most));
  }

  private Future<Void> leave(List<Borrow> borrows) {
    return ledger
        .borrow(borrows)
        .transform(
            (withdrawn, cause) -> {
              for (Borrow borrow : borrows) {
                Wishes wishes = buckets.get(borrow.to());
                if (wishes != null) {
                  wishes.asking = false;
                  wishes.askedNanos = loop.now();
                  if (cause == null && withdrawn.contains(borrow.to().id())) {
                    wishes.avoided = wishes.lender;
                    wishes.avoidedNanos = loop.now();
                  }
                }
              }
              if (cause == null) {
                asked.run();
              } else {
                log.atDebug()
                    .addKeyValue("cause", cause.toString())
                    .log("units of other buckets cannot be asked for");
              }
              return Future.succeededFuture();
            });
  }
}
