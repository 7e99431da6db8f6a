package io.sluice.grant;

import io.sluice.async.Batcher;
import io.sluice.async.LoopContext;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks owners for units if a bucket is empty, or soon will be, and others are not; docs/design.md
 * section 8. One per event loop. No buyer waits for it: a repeated request finds the units.
 */
public final class Borrowing {
  /** The maximum number of buckets known; one that is not known has asked for nothing. */
  static final int BUCKETS_MAX = 4_096;

  /**
   * The pause after a request was left for a bucket, unless units have come since; and the time
   * after which buyers who were refused ask again.
   */
  static final Duration ASK_EVERY = Duration.ofMillis(100);

  /** How long a bucket whose owner did not serve a request is not asked. */
  static final Duration AVOIDED_FOR = Duration.ofSeconds(5);

  /**
   * A bucket is asked instead of the one with most if that has no more than so many times as much.
   */
  static final int ABOUT_AS_MUCH = 2;

  /** A bucket that has less than its buyers take in this time asks ahead; a move is faster. */
  static final Duration AHEAD = Duration.ofMillis(500);

  /** Fewer units are not worth a move before somebody misses them, and may be missed elsewhere. */
  static final int AHEAD_LEAST = 16;

  /** Nor is it if the bucket gets less than this part of what it has. */
  private static final int AHEAD_PART = 4;

  private static final Logger log = LoggerFactory.getLogger(Borrowing.class);

  private final SkuLedger ledger;
  private final LoopContext loop;
  private final Runnable asked;
  private final Batcher<Borrow> requests;

  /** By the bucket that asks, in the order in which they became known. */
  private final Map<PlacedBucket, Wishes> buckets = new LinkedHashMap<>();

  private static final class Wishes {
    final AskedUnits demand;

    /** Units that buyers did not get; they ask again. */
    final AskedUnits missed;

    /** The units of the bucket in its last reply. */
    long left;

    long lookedNanos;
    boolean hasLooked;
    boolean asking;
    long askedNanos;
    boolean hasAsked;
    int lender = -1;
    int avoided = -1;
    long avoidedNanos;

    Wishes(LoopContext loop) {
      this.demand = new AskedUnits(loop, Duration.ofSeconds(1));
      this.missed = new AskedUnits(loop, ASK_EVERY);
    }
  }

  /**
   * @param asked called after requests were left, so that owners look for them
   */
  public Borrowing(SkuLedger ledger, LoopContext loop, Runnable asked) {
    this.ledger = ledger;
    this.loop = loop;
    this.asked = asked;
    this.requests = new Batcher<>(Batcher.Limits.ofItems(1, SkuLedger.BORROWS_MAX), this::leave);
  }

  /** Counts units that buyers ask of a bucket of a SKU that has several. */
  void wished(PlacedBucket bucket, long units) {
    Wishes wishes = buckets.get(bucket);
    if (wishes == null) {
      if (buckets.size() >= BUCKETS_MAX) {
        buckets.remove(buckets.keySet().iterator().next());
      }
      wishes = new Wishes(loop);
      buckets.put(bucket, wishes);
    }
    wishes.demand.add(units);
  }

  /**
   * Units of a bucket were granted, so that others must have come if it had none, or has more.
   *
   * @param available the units that it has left
   * @return whether to look for buckets from which it may {@link #askAhead}
   */
  boolean granted(PlacedBucket bucket, long available) {
    Wishes wishes = buckets.get(bucket);
    if (wishes == null) {
      return false;
    }
    if (wishes.left == 0 || available > wishes.left) {
      wishes.hasAsked = false;
      wishes.hasLooked = false;
    }
    wishes.left = available;
    boolean looks =
        available < ahead(wishes) && mayAsk(wishes) && isOver(wishes.hasLooked, wishes.lookedNanos);
    if (looks) {
      wishes.hasLooked = true;
      wishes.lookedNanos = loop.now();
    }
    return looks;
  }

  /** The units that the buyers of a bucket take in {@link #AHEAD}; 0 if they are few. */
  private static long ahead(Wishes wishes) {
    long units = wishes.demand.in(AHEAD);
    return units < AHEAD_LEAST ? 0 : units;
  }

  /** A buyer was refused so many units of a bucket. */
  void missed(PlacedBucket bucket, int units) {
    Wishes wishes = buckets.get(bucket);
    if (wishes != null) {
      wishes.missed.add(units);
      wishes.left = 0;
    }
  }

  /**
   * Asks for units for a bucket whose buyers were refused, unless it has just asked.
   *
   * @param need the units that it must have for one of them
   * @param lenders buckets that have units, the one with most first
   */
  void ask(Sku sku, PlacedBucket bucket, int need, List<FilledBucket> lenders) {
    Wishes wishes = buckets.get(bucket);
    if (wishes != null) {
      ask(sku, bucket, wishes, Math.max(need, wishes.missed.inAPeriod()), lenders);
    }
  }

  /**
   * Asks for units for a bucket that soon will be empty, of one that would give it a number of them
   * that is worth a move.
   */
  void askAhead(Sku sku, PlacedBucket bucket, List<FilledBucket> lenders) {
    Wishes wishes = buckets.get(bucket);
    if (wishes != null) {
      long least = Math.max(AHEAD_LEAST, wishes.left / AHEAD_PART);
      List<FilledBucket> rich =
          lenders.stream().filter(each -> gives(sku, each, wishes.left) >= least).toList();
      long most = rich.stream().mapToLong(each -> gives(sku, each, wishes.left)).max().orElse(0);
      long need = Math.max(wishes.left + 1, Math.min(ahead(wishes), most / ABOUT_AS_MUCH));
      ask(sku, bucket, wishes, need, rich);
    }
  }

  private void ask(
      Sku sku, PlacedBucket bucket, Wishes wishes, long need, List<FilledBucket> lenders) {
    if (mayAsk(wishes)) {
      int from = chosen(sku, wishes, bucket.id().bucket(), lenders);
      if (from >= 0) {
        ask(sku, bucket, wishes, need, from);
      }
    }
  }

  private boolean mayAsk(Wishes wishes) {
    return !wishes.asking && isOver(wishes.hasAsked, wishes.askedNanos);
  }

  private boolean isOver(boolean has, long sinceNanos) {
    return !has || loop.since(sinceNanos).compareTo(ASK_EVERY) >= 0;
  }

  /** Half of what it has more, or all if nobody buys, as far as this event loop knows. */
  private long gives(Sku sku, FilledBucket lender, long left) {
    return isBoughtFrom(sku, lender) ? (lender.units() - left + 1) / 2 : lender.units();
  }

  private boolean isBoughtFrom(Sku sku, FilledBucket lender) {
    Wishes wishes = buckets.get(sku.placed(lender.bucket()));
    return wishes != null && wishes.demand.isRecent();
  }

  /**
   * The next in the ring of buckets among those that give about as much as the one that gives most.
   * So buckets that are empty at the same time ask different ones.
   */
  private int chosen(Sku sku, Wishes wishes, int asking, List<FilledBucket> lenders) {
    boolean avoids =
        wishes.avoided >= 0 && loop.since(wishes.avoidedNanos).compareTo(AVOIDED_FOR) < 0;
    List<FilledBucket> others = lenders.stream().filter(each -> each.bucket() != asking).toList();
    List<FilledBucket> willing =
        others.stream().filter(each -> !avoids || each.bucket() != wishes.avoided).toList();
    List<FilledBucket> asked = willing.isEmpty() ? others : willing;
    long most = asked.stream().mapToLong(each -> gives(sku, each, wishes.left)).max().orElse(0);
    return asked.stream()
        .filter(each -> gives(sku, each, wishes.left) * ABOUT_AS_MUCH >= most)
        .min(
            Comparator.<FilledBucket, Boolean>comparing(each -> isBoughtFrom(sku, each))
                .thenComparing(each -> Math.floorMod(each.bucket() - asking, sku.buckets())))
        .map(FilledBucket::bucket)
        .orElse(-1);
  }

  private void ask(Sku sku, PlacedBucket bucket, Wishes wishes, long need, int from) {
    wishes.asking = true;
    wishes.hasAsked = true;
    wishes.askedNanos = loop.now();
    wishes.lender = from;
    long most = Math.max(need, wishes.demand.inAPeriod());
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

  /** How many units buyers ask of a bucket, as one event loop knows them. */
  static final class AskedUnits {
    /** The shortest time of which a rate is computed: a first burst is none. */
    private static final Duration RATE_OVER = Duration.ofMillis(100);

    private final LoopContext loop;
    private final Duration period;

    /** Units that were asked in this period, and in the one before. */
    private long now;

    private long before;
    private long beganNanos;

    AskedUnits(LoopContext loop, Duration period) {
      this.loop = loop;
      this.period = period;
      this.beganNanos = loop.now();
    }

    void add(long units) {
      turn();
      now += units;
    }

    private void turn() {
      long periods = loop.since(beganNanos).toNanos() / period.toNanos();
      if (periods > 0) {
        before = periods == 1 ? now : 0;
        now = 0;
        beganNanos += periods * period.toNanos();
      }
    }

    /** The units asked for in a period. */
    long inAPeriod() {
      return Math.max(now, before);
    }

    /** The units to be asked for in this time, at the present rate. */
    long in(Duration time) {
      long overMs = Math.max(loop.since(beganNanos).toMillis(), RATE_OVER.toMillis());
      return Math.max(before * time.toMillis() / period.toMillis(), now * time.toMillis() / overMs);
    }

    /** Whether anything was asked a short while ago. */
    boolean isRecent() {
      return loop.since(beganNanos).compareTo(period.multipliedBy(2)) < 0;
    }
  }

  /** A bucket that has units which can be granted. */
  record FilledBucket(int bucket, long units) {}
}
