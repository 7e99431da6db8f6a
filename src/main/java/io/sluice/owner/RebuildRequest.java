package io.sluice.owner;

import io.micrometer.core.instrument.Timer;
import io.sluice.async.Backoff;
import io.sluice.ledger.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Frozen;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Buckets to be opened together, on their way through the {@link Rebuilder}: one, or all of a sale
 * whose orders may have lines in several.
 *
 * <pre>
 *              +---- start over: many have failed, the ledger was restored, or a bucket may be back
 *              v                     |                                 |
 *  asked --> Wanted --freeze--> Shut ----no earlier grant is left--> Ready --load--> Open
 *              ^                     |                                 |              ^
 *              +--back-off-- Resting <---- a freeze or a load has failed              |
 *                                                                                     |
 *  Wanted, Resting, Shut, Ready --freeze of the sale that they are of--> Joined ------+
 * </pre>
 */
final class RebuildRequest {
  /**
   * Requests that have failed come last, so that they do not delay others. Of equal ones those with
   * fewer units taken come first, as they are loaded sooner.
   */
  static final Comparator<RebuildRequest> URGENCY =
      Comparator.comparing(RebuildRequest::hasFailed)
          .thenComparingInt(request -> request.rank)
          .thenComparingLong(request -> request.taken)
          .thenComparingLong(request -> request.number);

  /** Loading so many units takes about as long as the wait of those that are frozen next. */
  static final long LARGE_UNITS = 100_000;

  private static final long UNKNOWN = -1;
  private static final int RANK_MAX = 3;

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
      return !isGone && row.isFresh() && frozen.epoch() <= row.epoch() && !wentBack;
    }

    /** Whether a grant from before may still become a yes. */
    boolean mustWait() {
      return !isFresh() && !isGone;
    }

    /** The same by a later freeze, which finds no epoch if Redis has lost the bucket meanwhile. */
    Marked with(Frozen again) {
      long epoch = Math.max(frozen.epoch(), again.epoch());
      Frozen both = new Frozen(again.code(), again.mark(), epoch, again.term());
      return new Marked(row, isGone, both, wentBack);
    }

    String mark() {
      return frozen.mark();
    }
  }

  /**
   * Redis restarted, or another owner took over, or changed the bucket. The rebuild starts over.
   */
  static final class RebuildSupersededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RebuildSupersededException(BucketId bucket, BucketCode code) {
      super("Expected to go on rebuilding bucket " + bucket + ", but Redis answered " + code);
    }

    /** Another owner has changed orders of the bucket. */
    RebuildSupersededException(BucketId bucket) {
      super(
          "Expected to go on rebuilding bucket " + bucket + ", but its row has changed meanwhile");
    }
  }

  /** Where a request is. What it knows of its buckets is known only while they are frozen. */
  sealed interface State {}

  /** Its freeze is next. */
  record Wanted() implements State {}

  /** It has failed; it is wanted again after a back-off. */
  record Resting() implements State {}

  /** Its buckets are being frozen, or are, and wait until earlier grants are booked. */
  static final class Shut implements State {
    /** The results, of those buckets that there are. */
    private final List<Marked> marked = new ArrayList<>();

    /** Another caller has asked since, who may know of a later state of the ledger. */
    private boolean askedAgain;
  }

  /** It is loaded when its turn comes, or is being loaded. */
  static final class Ready implements State {
    private final Shut shut;

    /** The waits that had begun when a large one was to be loaded first. */
    private long turn = UNKNOWN;

    Ready(Shut shut) {
      this.shut = shut;
    }
  }

  /** Its buckets are opened with those of another request; it has no part in that any more. */
  record Joined() implements State {}

  record Open() implements State {}

  private final BucketId bucket;
  private final Set<BucketId> buckets = new TreeSet<>();
  private final long number;
  private final Timer.Sample begun;
  private final Promise<Void> opened = Promise.promise();
  private final Backoff backoff = new Backoff();
  private State state = new Wanted();
  private boolean failed;
  private boolean allBooked;

  /** Of its last freeze. */
  private int rank = RANK_MAX;

  private long taken;

  /**
   * @param bucket the first of them
   * @param number rises in the order of the requests
   * @param begun the time of the rebuild
   */
  RebuildRequest(BucketId bucket, long number, Timer.Sample begun) {
    this.bucket = bucket;
    this.buckets.add(bucket);
    this.number = number;
    this.begun = begun;
  }

  /** The first of the buckets. */
  BucketId bucket() {
    return bucket;
  }

  /** Whether it is for no other bucket. */
  boolean isOfOne() {
    return buckets.size() == 1;
  }

  /** Notes whether its bucket was found closed for good, with all of its grants booked. */
  void hasAllBooked(boolean found) {
    allBooked = found;
  }

  boolean hasAllBooked() {
    return allBooked;
  }

  /** All of them, in their order. */
  Set<BucketId> buckets() {
    return buckets;
  }

  /** Its buckets are opened with those of another request. */
  void joins(RebuildRequest other) {
    state = new Joined();
    other.buckets.addAll(buckets);
    other.opened.future().onComplete(opened -> open());
  }

  /** Whether nothing is left to do for it. */
  boolean isOver() {
    return state instanceof Joined || state instanceof Open;
  }

  /** Another caller asks for it, who may know of a later state of the ledger than it has read. */
  void isAskedAgain() {
    shut().askedAgain = true;
  }

  /**
   * Whether a bucket was gone when its row was read, and somebody has asked for it since: it may be
   * here again.
   */
  boolean mayBeBack() {
    return shut().askedAgain && (marked().isEmpty() || marked().stream().anyMatch(Marked::isGone));
  }

  Timer.Sample begun() {
    return begun;
  }

  /** Completes when its buckets are open again. */
  Future<Void> opened() {
    return opened.future();
  }

  void open() {
    state = new Open();
    opened.tryComplete();
  }

  boolean hasFailed() {
    return failed;
  }

  /** It starts over with the freeze, unless it is over. */
  boolean isWanted() {
    state = isOver() ? state : new Wanted();
    return !isOver();
  }

  /**
   * Returns the delay before the next attempt. Must not be called while the request is in a queue.
   */
  Duration rests() {
    state = new Resting();
    failed = true;
    return backoff.next();
  }

  /** The freeze begins. Must not be called while the request is in a queue. */
  void begins() {
    state = new Shut();
    rank = RANK_MAX;
    taken = 0;
  }

  /** One of its buckets is frozen. Must not be called while the request is in a queue. */
  void isFrozen(Marked now, long nowMs) {
    shut().marked.add(now);
    if (!now.isGone()) {
      rank = Math.min(rank, rank(now, nowMs));
      taken += now.row().taken();
    }
  }

  /** Nothing has to be waited for any longer, unless it has joined another one meanwhile. */
  boolean isReady() {
    if (!(state instanceof Shut now)) {
      return false;
    }
    state = new Ready(now);
    return true;
  }

  /**
   * Whether a large bucket must let others go first: those that waited for earlier grants when it
   * was to be loaded. No others, so that it gets its turn.
   *
   * @param waitsBegun the number of such waits until now
   * @param waitsEnded the number of those that are over
   */
  boolean isBehind(long waitsBegun, long waitsEnded) {
    if (taken < LARGE_UNITS || !(state instanceof Ready ready)) {
      return false;
    }
    ready.turn = ready.turn == UNKNOWN ? waitsBegun : ready.turn;
    return waitsEnded < ready.turn;
  }

  private Shut shut() {
    return state instanceof Shut now ? now : state instanceof Ready ready ? ready.shut : new Shut();
  }

  /** The results of the last freeze, of those buckets that there are; none while it has none. */
  List<Marked> marked() {
    return shut().marked;
  }

  /** Whether it was known at the last freeze that the ledger was restored to an earlier state. */
  boolean knewOfRestore() {
    return marked().stream().allMatch(Marked::wentBack);
  }

  /** Their SKUs; one may be there more than once. */
  Stream<Long> skuIds() {
    return buckets.stream().map(BucketId::skuId);
  }

  /** Whether a grant of one of them from before may still become a yes. */
  boolean mustWait() {
    return marked().stream().anyMatch(Marked::mustWait);
  }

  /** Whether one of them was never open in its sale, as far as the ledger knew at the freeze. */
  boolean isFresh() {
    return marked().stream().anyMatch(Marked::isFresh);
  }

  /** Lower comes first: fresh buckets, then those that sell now, those that will, the others. */
  private static int rank(Marked one, long nowMs) {
    if (one.isFresh()) {
      return 0;
    }
    SkuSettings settings = one.row().settings();
    SkuState now = one.row().state().at(nowMs, settings.opensAtMs(), settings.closesAtMs());
    return now == SkuState.OPEN ? 1 : now == SkuState.SCHEDULED ? 2 : RANK_MAX;
  }
}
