package io.sluice.owner;

import io.sluice.ledger.Ledger.BucketRow;
import io.sluice.ledger.Ledger.LoadRow;
import io.sluice.ledger.Ledger.Result;
import io.sluice.ledger.Ledger.Step;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.LoadHead;
import io.sluice.stock.StockStore.Recorded;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a bucket into Redis from the ledger: its first load, and each rebuild; design section 8.
 *
 * <p>Freeze; wait until no earlier grant can still become a yes; let the log drain to the end seen
 * then; raise the epoch; load everything; open. Whatever goes wrong, the bucket stays shut and the
 * rebuild starts over. From the raised epoch to the opening no other transaction of this owner
 * runs, so head and pages show one state of the ledger.
 */
final class Rebuilder {
  static final Duration AFTER_DEADLINE = Duration.ofMillis(500);
  static final int PAGE_MAX = 1_000;

  /** The epoch of a bucket that was never loaded: every load raises it. */
  private static final long FIRST_EPOCH = 1;

  private static final Logger log = LoggerFactory.getLogger(Rebuilder.class);

  private record Marked(BucketRow row, String mark) {}

  private final Duties duties;
  private final Duration deadlineWait;
  private final Pass pass;
  private final Backoff backoff = new Backoff();
  private final Map<BucketId, Promise<Void>> wanted = new LinkedHashMap<>();
  private final Map<BucketId, Promise<Void>> underWay = new LinkedHashMap<>();

  /** Buckets whose orders and counters disagree: shut until an operator asks for them. */
  private final Set<BucketId> unsound = new HashSet<>();

  Rebuilder(Duties duties, Duration grantDeadline) {
    this.duties = duties;
    this.deadlineWait = grantDeadline.plus(AFTER_DEADLINE);
    this.pass = new Pass("rebuild", duties.ownership().partition(), this::step);
  }

  /**
   * Asks for a rebuild; completes when the bucket is open again. One under way serves everybody who
   * asks meanwhile.
   */
  Future<Void> request(BucketId bucket, String why) {
    unsound.remove(bucket);
    Promise<Void> running = underWay.get(bucket);
    if (running != null) {
      return running.future();
    }
    if (!wanted.containsKey(bucket)) {
      log.atInfo()
          .addKeyValue("bucket", bucket)
          .addKeyValue("why", why)
          .log("bucket is to be loaded from the ledger");
    }
    Promise<Void> promise = wanted.computeIfAbsent(bucket, id -> Promise.promise());
    pass.wake();
    return promise.future();
  }

  /**
   * Whether nobody else need ask for this bucket: it is being rebuilt, or waits for an operator.
   */
  boolean isTakenCareOf(BucketId bucket) {
    return wanted.containsKey(bucket) || underWay.containsKey(bucket) || unsound.contains(bucket);
  }

  Future<Void> stop() {
    return pass.stop();
  }

  private Future<Boolean> step() {
    underWay.putAll(wanted);
    wanted.clear();
    if (underWay.isEmpty()) {
      return Future.succeededFuture(false);
    }
    return mark(List.copyOf(underWay.keySet()))
        .compose(this::loadAll)
        .map(
            loaded -> {
              backoff.reset();
              return !wanted.isEmpty();
            })
        .onFailure(failure -> startOver());
  }

  /** Buckets whose rebuild did not come to its end start over, after a while. */
  private void startOver() {
    underWay.forEach(wanted::putIfAbsent);
    underWay.clear();
    if (!duties.ownership().isLost()) {
      duties.timers().after(backoff.next()).onSuccess(now -> pass.wake());
    }
  }

  private Future<List<Marked>> mark(List<BucketId> buckets) {
    List<Marked> marked = new ArrayList<>();
    Future<Void> all = Future.succeededFuture();
    for (BucketId bucket : buckets) {
      all = all.compose(before -> markOne(bucket)).map(one -> addIfThere(marked, bucket, one));
    }
    return all.map(marked);
  }

  private Void addIfThere(List<Marked> marked, BucketId bucket, Optional<Marked> one) {
    one.ifPresentOrElse(marked::add, () -> finished(bucket));
    return null;
  }

  private Future<Optional<Marked>> markOne(BucketId bucket) {
    return duties
        .ledger()
        .bucket(bucket)
        .compose(
            row -> {
              if (row.isEmpty()) {
                return Future.succeededFuture(Optional.empty());
              }
              return duties
                  .stock()
                  .freeze(bucket, duties.ownership().term())
                  .compose(
                      frozen ->
                          expectOk(bucket, frozen.code())
                              .map(ok -> Optional.of(new Marked(row.get(), frozen.mark()))));
            });
  }

  /** Buckets that never were open go first: no grant of theirs can be under way. */
  private Future<Void> loadAll(List<Marked> marked) {
    List<Marked> fresh = marked.stream().filter(one -> one.row().epoch() == FIRST_EPOCH).toList();
    List<Marked> used = marked.stream().filter(one -> one.row().epoch() != FIRST_EPOCH).toList();
    Future<Void> all = loadEach(fresh);
    if (used.isEmpty()) {
      return all;
    }
    return all.compose(done -> duties.timers().after(deadlineWait))
        .compose(waited -> duties.orderLog().endOffset(duties.ownership().partition()))
        .compose(duties.ownership()::bookedSoon)
        .compose(drained -> loadEach(used));
  }

  private Future<Void> loadEach(List<Marked> marked) {
    Future<Void> all = Future.succeededFuture();
    for (Marked one : marked) {
      all = all.compose(before -> duties.turns().take(() -> load(one)));
    }
    return all;
  }

  private Future<Void> load(Marked one) {
    BucketId bucket = one.row().id();
    long term = duties.ownership().term();
    StockStore stock = duties.stock();
    return duties
        .ledger()
        .raiseEpoch(duties.ownership().fence(), bucket)
        .compose(
            raised ->
                raised.isPresent()
                    ? Future.succeededFuture(raised.get())
                    : Future.failedFuture(duties.ownership().lose()))
        .compose(
            row ->
                stock
                    .load(bucket, term, one.mark(), head(row))
                    .compose(code -> expectOk(bucket, code))
                    .compose(ok -> pages(one, Optional.empty(), 0))
                    .compose(liveUnits -> openIfSound(row, one.mark(), liveUnits)))
        .onSuccess(
            opened -> {
              log.atInfo().addKeyValue("bucket", bucket).log("bucket is loaded");
              finished(bucket);
            });
  }

  private static LoadHead head(BucketRow row) {
    return new LoadHead(row.epoch(), row.held() + row.sold(), RestockRelay.ceiling(row));
  }

  /** Loads page after page; gives the units of the live orders among them. */
  private Future<Long> pages(Marked one, Optional<OrderToken> after, long liveBefore) {
    BucketId bucket = one.row().id();
    return duties
        .ledger()
        .loadRows(bucket, after, PAGE_MAX)
        .compose(
            rows -> {
              long live =
                  liveBefore
                      + rows.stream()
                          .filter(LoadRow::live)
                          .mapToLong(row -> row.grant().qty())
                          .sum();
              if (rows.isEmpty()) {
                return Future.succeededFuture(live);
              }
              List<Recorded> page =
                  rows.stream().map(row -> new Recorded(row.grant(), row.live(), false)).toList();
              return duties
                  .stock()
                  .loadPage(bucket, duties.ownership().term(), one.mark(), page)
                  .compose(code -> expectOk(bucket, code))
                  .compose(
                      ok ->
                          rows.size() < PAGE_MAX
                              ? Future.succeededFuture(live)
                              : pages(
                                  one,
                                  Optional.of(rows.get(rows.size() - 1).grant().token()),
                                  live));
            });
  }

  private Future<Void> openIfSound(BucketRow row, String mark, long liveUnits) {
    if (liveUnits != row.held() + row.sold()) {
      return expectOurs().compose(ours -> alarm(row, liveUnits));
    }
    return duties
        .stock()
        .open(row.id(), duties.ownership().term(), mark)
        .compose(code -> expectOk(row.id(), code));
  }

  /** While the fence was ours, nobody else has changed the orders that we counted. */
  private Future<Void> alarm(BucketRow row, long liveUnits) {
    unsound.add(row.id());
    return duties
        .ledger()
        .freezeSku(
            row.id().skuId(),
            "Expected live orders of bucket %s to hold %d units as its counters say, but they hold %d"
                .formatted(row.id(), row.held() + row.sold(), liveUnits));
  }

  /**
   * A higher term in Redis says that the partition has another owner, unless the fence still says
   * that it is ours.
   */
  private Future<Void> expectOk(BucketId bucket, BucketCode code) {
    if (code == BucketCode.OK) {
      return Future.succeededFuture();
    }
    Future<Void> failed = Future.failedFuture(new RebuildSupersededException(bucket, code));
    return code == BucketCode.STALE_TERM ? expectOurs().compose(ours -> failed) : failed;
  }

  /** Fails where another owner has the partition. Takes no turn, since a load has one already. */
  private Future<Void> expectOurs() {
    Ownership ownership = duties.ownership();
    return duties
        .ledger()
        .apply(Step.check(ownership.fence()), List.of())
        .compose(
            result ->
                result instanceof Result.Applied
                    ? Future.succeededFuture()
                    : Future.failedFuture(ownership.lose()));
  }

  private void finished(BucketId bucket) {
    Promise<Void> promise = underWay.remove(bucket);
    if (promise != null) {
      promise.complete();
    }
  }
}
