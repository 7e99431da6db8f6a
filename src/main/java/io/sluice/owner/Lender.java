package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.Move.Part;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Stock;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Serves requests for units of the buckets of a partition: decides how many each of them gets, and
 * leaves an intent, from which {@link RestockRelay} moves them. All requests for units of a bucket
 * that wait are served by one intent.
 *
 * <p>Nothing moves while the bucket that asks has what it needs, nor from a bucket to which a few
 * units have just come. Its buyers ask for them first, else the last unit would wander.
 */
final class Lender {
  static final int WAITING_MAX = 1_000;

  /** The maximum number of buckets whose last look is kept. */
  static final int SEEN_MAX = 4_096;

  /** Longer than the time between two requests of an impatient buyer. */
  static final Duration KEEP = Duration.ofMillis(200);

  /** When more units have come, some of them may go on. */
  static final int KEEP_MOST = 16;

  /**
   * How long it is remembered what was lent: longer than a page of requests takes to be read. What
   * is open then is not served, even if it has the id of one that was: the ledger was restored.
   */
  static final Duration LENT_KEPT = Duration.ofSeconds(10);

  private final OwnerContext context;
  private final Ledger ledger;
  private final Stock stocks;
  private final Runnable wakeRestocks;
  private final Consumer<Set<Integer>> moved;
  private final BackgroundTask task;
  private final Map<Long, OwnerRequest> waiting = new LinkedHashMap<>();

  /** An intent, and what its bucket keeps. */
  private record Lent(Move move, long kept) {}

  /** Buckets with an intent, of which Redis may still show the units. */
  private final Map<BucketId, Lent> moving = new HashMap<>();

  /** Buckets to which units have just come. */
  private final Set<BucketId> fresh = new HashSet<>();

  /** The requests that were served last. */
  private final Set<Long> served = new LinkedHashSet<>();

  /** The units claimed of a bucket when it was looked at last. */
  private final Map<BucketId, Long> claimed = new LinkedHashMap<>();

  /**
   * @param moved given the partitions whose buckets are to be raised
   */
  Lender(OwnerContext context, Stock stocks, Runnable wakeRestocks, Consumer<Set<Integer>> moved) {
    this.context = context;
    this.ledger = context.ledger();
    this.stocks = stocks;
    this.wakeRestocks = wakeRestocks;
    this.moved = moved;
    this.task = context.tasks().make("moves", this::step);
  }

  /**
   * Ignores it if too many wait: it stays open and is read again. So may be one that was just
   * served, which is ignored as well.
   */
  void serve(OwnerRequest request) {
    if (waiting.size() < WAITING_MAX
        && request.borrow().isPresent()
        && !served.contains(request.id())) {
      waiting.putIfAbsent(request.id(), request);
      task.wake();
    }
  }

  /** The units of a move have left their bucket, or stay there; or that is not known. */
  void ended(Move move) {
    moving.remove(move.from());
    task.wake();
    moved.accept(move.parts().stream().map(Part::partition).collect(Collectors.toSet()));
  }

  /** Redis shows the units that have come to a bucket. */
  void received(BucketId bucket) {
    fresh.add(bucket);
    context
        .timers()
        .after(KEEP)
        .onComplete(
            over -> {
              fresh.remove(bucket);
              task.wake();
            });
  }

  /** Requests for units of one bucket, which is in one sale at a time. */
  private record Source(BucketId bucket, long saleNo) {
    static Source of(OwnerRequest request) {
      return new Source(borrow(request).from().id(), borrow(request).saleNo());
    }
  }

  private Future<Boolean> step() {
    List<Source> sources =
        waiting.values().stream()
            .map(Source::of)
            .distinct()
            .filter(source -> keepsNothing(source.bucket()))
            .toList();
    return Future.join(sources.stream().map(this::serveFrom).toList()).map(false);
  }

  private boolean keepsNothing(BucketId bucket) {
    Lent lent = moving.get(bucket);
    return lent == null || lent.kept() == 0;
  }

  /**
   * All requests that have come until Redis has answered are served together. A request to a bucket
   * that gives away all it has need not wait.
   */
  private Future<Void> serveFrom(Source from) {
    if (moving.containsKey(from.bucket())) {
      return refuse(taken(from));
    }
    return look(new PlacedBucket(context.ownership().partition(), from.bucket()))
        .compose(
            own ->
                keeps(from.bucket(), own)
                    ? Future.succeededFuture()
                    : share(from, own, taken(from)));
  }

  private boolean keeps(BucketId from, Optional<Snapshot> own) {
    return fresh.contains(from) && own.filter(head -> head.available() > KEEP_MOST).isEmpty();
  }

  private List<OwnerRequest> taken(Source from) {
    List<OwnerRequest> requests =
        waiting.values().stream().filter(request -> Source.of(request).equals(from)).toList();
    requests.forEach(request -> waiting.remove(request.id()));
    return requests;
  }

  private static Borrow borrow(OwnerRequest request) {
    return request.borrow().orElseThrow();
  }

  /** The head of a bucket at one instant; empty if it is not served now. */
  private Future<Optional<Snapshot>> look(PlacedBucket bucket) {
    return stocks
        .at(bucket.partition())
        .snapshot(bucket.id(), List.of(), 0)
        .map(seen -> Optional.of(seen).filter(head -> head.code() == BucketCode.OK));
  }

  private Future<Void> share(Source from, Optional<Snapshot> own, List<OwnerRequest> requests) {
    List<Future<Optional<Snapshot>>> targets =
        requests.stream().map(request -> look(borrow(request).to())).toList();
    return Future.join(targets)
        .compose(
            seen -> {
              Shares shares =
                  own.map(
                          head ->
                              new Shares(
                                  head.available(), isIdle(from.bucket(), head), requests.size()))
                      .orElseGet(() -> new Shares(0, false, requests.size()));
              List<OwnerRequest> refused = new ArrayList<>();
              for (int i = 0; i < requests.size(); i++) {
                OwnerRequest request = requests.get(i);
                if (!shares.give(request.id(), borrow(request), targets.get(i).result())) {
                  refused.add(request);
                }
              }
              return lend(new Move(from.bucket(), from.saleNo(), shares.parts()), shares.kept)
                  .compose(done -> refuse(refused));
            });
  }

  /**
   * Whether nobody was granted any unit here since the last look, or ever, and none have just come.
   */
  private boolean isIdle(BucketId from, Snapshot own) {
    Long before = claimed.remove(from);
    if (claimed.size() >= SEEN_MAX) {
      claimed.remove(claimed.keySet().iterator().next());
    }
    claimed.put(from, own.claimed());
    return own.claimed() == (before == null ? 0 : before) && !fresh.contains(from);
  }

  /**
   * @param kept the units that the bucket has left
   */
  private Future<Void> lend(Move move, long kept) {
    if (move.parts().isEmpty()) {
      return Future.succeededFuture();
    }
    return context
        .sequencer()
        .take("move", () -> ledger.lend(context.ownership().fence(), move))
        .onFailure(unknown -> wakeRestocks.run())
        .compose(
            result -> {
              if (result == LendResult.INTENDED) {
                Lent lent = new Lent(move, kept);
                moving.put(move.from(), lent);
                move.parts().forEach(part -> noteServed(part.requestId()));
                context.timers().after(LENT_KEPT).onComplete(over -> forget(lent));
                wakeRestocks.run();
              }
              return context.ownership().expectHeld(result != LendResult.FENCE_LOST);
            });
  }

  private void noteServed(long requestId) {
    waiting.remove(requestId);
    if (served.size() >= WAITING_MAX) {
      served.remove(served.iterator().next());
    }
    served.add(requestId);
  }

  private void forget(Lent lent) {
    lent.move().parts().forEach(part -> served.remove(part.requestId()));
    moving.remove(lent.move().from(), lent);
    task.wake();
  }

  private Future<Void> refuse(List<OwnerRequest> requests) {
    return requests.isEmpty()
        ? Future.succeededFuture()
        : ledger.answerRequests(
            requests.stream().map(OwnerRequest::id).toList(), OutboxPayload.refused("no units"));
  }

  /**
   * The units of one bucket, shared among the buckets that ask for them. They get half of what it
   * has, or all if nobody buys there, or if buyers of those that have none wait for them.
   */
  static final class Shares {
    private final List<Part> parts = new ArrayList<>();

    /** The units that the bucket keeps. */
    private long kept;

    private long left;
    private final boolean idle;
    private int askers;

    /**
     * @param available the units of the bucket
     * @param idle whether nobody buys there
     * @param askers the number of requests for which {@link #give} is going to be called
     */
    Shares(long available, boolean idle, int askers) {
      this.kept = available;
      this.left = idle ? available : (available + 1) / 2;
      this.idle = idle;
      this.askers = askers;
    }

    /**
     * Gives a request its even share, but at least what its bucket misses. Of a bucket that sells
     * itself it gives at most the units that its buyers take in a second, and those that make both
     * equal. False if it gets nothing.
     *
     * @param target the bucket that asks; empty if it is not served now
     */
    boolean give(long requestId, Borrow borrow, Optional<Snapshot> target) {
      long even = (left + askers - 1) / askers;
      askers--;
      long has = Math.max(0, target.map(Snapshot::available).orElse(borrow.need()));
      long missing = borrow.need() - has;
      long reach = has == 0 ? kept : left;
      if (missing <= 0 || reach <= 0) {
        return false;
      }
      long most = idle ? even : Math.min(Math.min(even, (kept - has + 1) / 2), borrow.most());
      long given = Math.min(reach, Math.max(missing, most));
      kept -= given;
      left = Math.max(0, left - given);
      parts.add(new Part(requestId, borrow.to().id().bucket(), borrow.to().partition(), given));
      return true;
    }

    List<Part> parts() {
      return List.copyOf(parts);
    }
  }
}
