package io.sluice.stock;

import static io.sluice.stock.InMemoryData.answer;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.stock.InMemoryBucket.Mark;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The stock in memory, with the rules of the scripts; the contract of StockStore compares both.
 * Every Future is completed when it is returned. What can happen to Redis' data can be done here:
 * {@link #restart}, {@link #save} and {@link #restore}, {@link #wipe}.
 */
public final class InMemoryStock implements StockStore {
  private final InstantSource clock;
  private String history;
  private Duration replicaLag = Duration.ZERO;
  private InMemoryData data = new InMemoryData();
  private long writes;
  private long freezes;

  /** {@code history} stands for the run id and the replication id. */
  public InMemoryStock(InstantSource clock, String history) {
    this.clock = clock;
    this.history = history;
  }

  /** Continues as another process with the same data, or as the same process with other data. */
  public void restart(String newHistory) {
    history = newHistory;
  }

  /** Gives it a replica with this maximum lag. */
  public void replicate(Duration lag) {
    replicaLag = lag;
  }

  public InMemoryData save() {
    return data.copy();
  }

  public void restore(InMemoryData saved) {
    writes++;
    data = saved.copy();
  }

  public void wipe() {
    restore(new InMemoryData());
  }

  /** Changes counters without a call, as only a defect could. */
  public void plant(BucketId id, long total, long claimed, long released, long version) {
    writes++;
    data.plant(id, total, claimed, released, version);
  }

  /**
   * Deletes a key of a bucket: {@code stock}, {@code reserve}, {@code unbooked} or {@code buyers}.
   */
  public void vanish(BucketId id, String key) {
    writes++;
    if (key.equals("stock")) {
      data.buckets.remove(id);
    } else {
      data.buckets.get(id).vanish(InMemoryBucket.Key.valueOf(key.toUpperCase(Locale.ROOT)));
    }
  }

  /** Makes a bucket look as if it had been loaded into this history. */
  void writeHistory(BucketId id, String written) {
    writes++;
    data.buckets.get(id).history = written;
  }

  @Override
  public Future<ReserveReply> reserve(BucketId id, List<Request> requests) {
    writes++;
    return answer(
        InMemoryData.areValid(requests),
        () -> {
          BucketCode code = code(id);
          if (code != BucketCode.OK) {
            return new ReserveReply(code, 0, List.of());
          }
          return bucket(id).reserve(requests, clock.millis());
        });
  }

  @Override
  public Future<ReserveReply> reserveCarts(List<StockStore.Request> carts) {
    writes++;
    var decided = new InMemoryCarts(data.buckets, this::code, clock.millis());
    return answer(InMemoryCarts.areValid(carts), () -> decided.decide(carts));
  }

  @Override
  public Future<EmptyBucket> soldOut(BucketId id) {
    writes++;
    return Future.succeededFuture(data.soldOut(id, code(id), clock.millis()));
  }

  @Override
  public Future<TokenPage> tokens(BucketId id, String from, int limit) {
    return answer(
        limit >= 1 && limit <= TOKENS_MAX && from.matches("\\d+"),
        () -> {
          BucketCode code = code(id);
          return code == BucketCode.OK
              ? bucket(id).tokens(from, limit)
              : new TokenPage(code, ReserveReply.Contents.UNKNOWN, 0, FIRST_PAGE, List.of());
        });
  }

  @Override
  public Future<Lookup> lookup(BucketId id, List<OrderToken> tokens) {
    BucketCode code = tokens.isEmpty() ? BucketCode.OK : code(id);
    return Future.succeededFuture(
        new Lookup(
            code,
            code != BucketCode.OK || tokens.isEmpty() ? Map.of() : bucket(id).recorded(tokens)));
  }

  @Override
  public Future<Overdue> overdue(BucketId id, long olderThanMs, int limit, int skip) {
    return answer(
        olderThanMs >= 0 && limit >= 1 && limit <= UNBOOKED_MAX && skip >= 0,
        () -> {
          BucketCode code = code(id);
          if (code == BucketCode.OK) {
            return InMemoryData.overdue(bucket(id), olderThanMs, limit, skip, clock.millis());
          }
          return new Overdue(
              code,
              code == BucketCode.ABSENT
                  ? List.of()
                  : bucket(id).unbooked().stream().skip(skip).limit(limit).toList());
        });
  }

  @Override
  public Future<BucketCode> book(BucketId id, long term, Stretch booked, List<OrderToken> tokens) {
    if (tokens.isEmpty()) {
      return Future.succeededFuture(BucketCode.OK);
    }
    return owned(id, term, bucket -> apply(() -> bucket.book(term, booked, tokens)))
        .map(code -> code.isAway() ? BucketCode.OK : code);
  }

  @Override
  public Future<BucketCode> release(BucketId id, long term, List<Release> releases) {
    if (releases.isEmpty()) {
      return Future.succeededFuture(BucketCode.OK);
    }
    return owned(id, term, bucket -> apply(() -> bucket.release(releases)));
  }

  @Override
  public Future<BucketCode> restock(BucketId id, long term, BucketTotal ceiling) {
    return owned(
        id, term, bucket -> bucket.restock(ceiling) ? BucketCode.OK : BucketCode.NEEDS_REBUILD);
  }

  @Override
  public Future<BucketCode> take(BucketId id, long term, Take take) {
    return InMemoryData.isValid(take)
        ? owned(id, term, bucket -> bucket.take(take))
        : Future.failedFuture(new IllegalArgumentException("Expected a take, but got " + take));
  }

  @Override
  public Future<Frozen> freeze(BucketId id, long term) {
    writes++;
    return answer(
        term >= 1,
        () -> {
          InMemoryBucket bucket = data.buckets.computeIfAbsent(id, absent -> new InMemoryBucket());
          if (term < bucket.term) {
            return new Frozen(BucketCode.STALE_TERM, "", bucket.epoch, bucket.term);
          }
          bucket.term = term;
          bucket.history = history;
          bucket.markName = history + ":" + ++freezes;
          bucket.mark = Mark.MARKED;
          return new Frozen(BucketCode.OK, bucket.markName, bucket.epoch, term);
        });
  }

  @Override
  public Future<BucketCode> load(BucketId id, long term, String mark, LoadHead head) {
    return marked(id, term, mark, InMemoryData.IN_REBUILD, bucket -> bucket.load(head));
  }

  @Override
  public Future<BucketCode> loadPage(BucketId id, long term, String mark, List<Recorded> page) {
    if (page.isEmpty()) {
      return Future.succeededFuture(BucketCode.OK);
    }
    return marked(id, term, mark, Set.of(Mark.LOADED), bucket -> bucket.loadPage(page));
  }

  @Override
  public Future<BucketCode> open(BucketId id, long term, String mark) {
    return marked(id, term, mark, Set.of(Mark.LOADED), bucket -> bucket.mark = Mark.NONE);
  }

  @Override
  public Future<BucketCode> unload(BucketId id, long term, String mark) {
    return !data.buckets.containsKey(id)
        ? Future.succeededFuture(BucketCode.OK)
        : marked(id, term, mark, InMemoryData.IN_REBUILD, bucket -> data.buckets.remove(id));
  }

  @Override
  public Future<Boolean> areQuiet(List<BucketId> ids) {
    return answer(InMemoryData.areAsked(ids), () -> data.areQuiet(ids));
  }

  @Override
  public Future<Boolean> hasAny(List<BucketId> ids) {
    return answer(InMemoryData.areAsked(ids), () -> data.hasAny(ids));
  }

  @Override
  public Future<Snapshot> snapshot(BucketId id, List<OrderToken> tokens, int unbookedMax) {
    return answer(
        tokens.size() <= SNAPSHOT_TOKENS_MAX && unbookedMax >= 0 && unbookedMax <= UNBOOKED_MAX,
        () -> {
          InMemoryBucket bucket = data.buckets.get(id);
          return bucket == null
              ? new InMemoryBucket().snapshot(BucketCode.ABSENT, 0, List.of(), 0)
              : bucket.snapshot(code(id), clock.millis(), tokens, unbookedMax);
        });
  }

  @Override
  public Future<String> history() {
    return Future.succeededFuture(history);
  }

  @Override
  public Future<Stamp> stamp() {
    return Future.succeededFuture(new Stamp(history, String.valueOf(writes)));
  }

  @Override
  public Future<Duration> replicaLag() {
    return Future.succeededFuture(replicaLag);
  }

  @Override
  public Future<Long> nowMs() {
    return Future.succeededFuture(clock.millis());
  }

  private InMemoryBucket bucket(BucketId id) {
    return data.buckets.get(id);
  }

  private BucketCode code(BucketId id) {
    return data.code(id, history);
  }

  /** The code for an owner's call; raises the term if it is OK. */
  private BucketCode ownedCode(BucketId id, long term) {
    InMemoryBucket bucket = data.buckets.get(id);
    if (bucket != null && term < bucket.term) {
      return BucketCode.STALE_TERM;
    }
    BucketCode code = code(id);
    if (code == BucketCode.OK) {
      bucket(id).term = term;
    }
    return code;
  }

  private Future<BucketCode> owned(
      BucketId id, long term, Function<InMemoryBucket, BucketCode> action) {
    writes++;
    return answer(
        term >= 1,
        () -> {
          BucketCode code = ownedCode(id, term);
          return code == BucketCode.OK ? action.apply(bucket(id)) : code;
        });
  }

  private Future<BucketCode> marked(
      BucketId id, long term, String mark, Set<Mark> marks, Consumer<InMemoryBucket> action) {
    writes++;
    InMemoryBucket bucket = data.buckets.get(id);
    BucketCode code = BucketCode.SUPERSEDED;
    if (bucket != null && term < bucket.term) {
      code = BucketCode.STALE_TERM;
    } else if (bucket != null
        && bucket.term == term
        && marks.contains(bucket.mark)
        && bucket.history.equals(history)
        && bucket.markName.equals(mark)
        && (marks.contains(Mark.MARKED) || bucket.isWhole())) {
      action.accept(bucket);
      code = BucketCode.OK;
    }
    return Future.succeededFuture(code);
  }

  private static BucketCode apply(Runnable action) {
    action.run();
    return BucketCode.OK;
  }
}
