package io.sluice.stock.redis;

import io.sluice.async.AsyncLoop;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stock of one partition in Redis, one Lua script per operation.
 *
 * @param lane of the Redis that has the partition now; null if none is known
 * @param freezes of the same connection, so that no two have the same number
 */
record RedisStockStore(Supplier<RedisNode.@Nullable Lane> lane, AtomicLong freezes, int partition)
    implements StockStore {
  private static final StockUnavailableException NOBODY =
      new StockUnavailableException("No Redis that is known has this partition", null);

  @Override
  public Future<ReserveReply> reserve(BucketId bucket, List<Request> requests) {
    if (requests.isEmpty() || requests.size() > BATCH_MAX) {
      return outOfRange("1 to " + BATCH_MAX + " requests", requests.size());
    }
    long saleNo = requests.get(0).saleNo();
    if (requests.stream().anyMatch(request -> request.saleNo() != saleNo)) {
      return outOfRange("requests for one sale, " + saleNo, requests.size());
    }
    LuaCall call = call(LuaScript.RESERVE, bucket, 1 + 4 * requests.size()).add(saleNo);
    requests.forEach(request -> call.add(request.token().value()));
    requests.forEach(request -> call.add(request.userId()));
    requests.forEach(request -> call.add(request.qty()));
    requests.forEach(request -> call.add(GrantRecord.encoded(request.reference())));
    return run(call).map(reply -> StockReplies.reserve(reply, requests));
  }

  @Override
  public Future<ReserveReply> reserveCarts(List<Request> carts) {
    try {
      CartCall call = new CartCall(carts);
      return run(call.call(this::keys)).map(call::reply);
    } catch (IllegalArgumentException outOfRange) {
      return Future.failedFuture(outOfRange);
    }
  }

  @Override
  public Future<EmptyBucket> soldOut(BucketId bucket) {
    return run(call(LuaScript.SOLD_OUT, bucket, 0)).map(StockReplies::soldOut);
  }

  @Override
  public Future<TokenPage> tokens(BucketId bucket, String from, int limit) {
    if (limit < 1 || limit > TOKENS_MAX) {
      return outOfRange("a limit of 1 to " + TOKENS_MAX, limit);
    }
    LuaCall call = call(LuaScript.TOKENS, bucket, 2).add(from).add(limit).expecting(limit);
    return run(call).map(StockReplies::tokens);
  }

  @Override
  public Future<Lookup> lookup(BucketId bucket, List<OrderToken> tokens) {
    Map<OrderToken, Recorded> recorded = new HashMap<>();
    return inPages(
            tokens,
            page ->
                run(withTokens(call(LuaScript.LOOKUP, bucket, page.size()), page))
                    .map(
                        reply -> {
                          Lookup found = StockReplies.lookup(reply, page);
                          recorded.putAll(found.recorded());
                          return found.code();
                        }))
        .map(code -> new Lookup(code, code == BucketCode.OK ? recorded : Map.of()));
  }

  @Override
  public Future<Overdue> overdue(BucketId bucket, long olderThanMs, int limit, int skip) {
    if (limit < 1 || limit > UNBOOKED_MAX) {
      return outOfRange("a limit of 1 to " + UNBOOKED_MAX, limit);
    }
    LuaCall call = call(LuaScript.OVERDUE, bucket, 3).add(olderThanMs).add(limit).add(skip);
    return run(call.expecting(limit)).map(StockReplies::overdue);
  }

  @Override
  public Future<BucketCode> book(
      BucketId bucket, long term, Stretch booked, List<OrderToken> tokens) {
    return inPages(
        tokens,
        page -> {
          LuaCall call = call(LuaScript.BOOK, bucket, 3 + page.size()).add(term);
          return code(withTokens(call.add(booked.from()).add(booked.to()), page));
        });
  }

  @Override
  public Future<BucketCode> release(BucketId bucket, long term, List<Release> releases) {
    return inPages(
        releases,
        page -> {
          LuaCall call = call(LuaScript.RELEASE, bucket, 1 + 5 * page.size()).add(term);
          for (Release release : page) {
            call.add(release.token().value()).add(release.seq()).add(release.epoch());
            call.add(release.left()).add(release.withdrawn());
          }
          return code(call);
        });
  }

  @Override
  public Future<BucketCode> restock(BucketId bucket, long term, BucketTotal ceiling) {
    return code(withCeiling(call(LuaScript.RESTOCK, bucket, 9).add(term), ceiling));
  }

  @Override
  public Future<BucketCode> take(BucketId bucket, long term, Take take) {
    LuaCall call = call(LuaScript.TAKE, bucket, 5).add(term).add(take.id());
    return code(call.add(take.epoch()).add(take.version()).add(take.units()));
  }

  @Override
  public Future<Frozen> freeze(BucketId bucket, long term) {
    LuaCall call = call(LuaScript.FREEZE, bucket, 2).add(term).add(freezes.incrementAndGet());
    return run(call).map(StockReplies::frozen);
  }

  @Override
  public Future<BucketCode> load(BucketId bucket, long term, String mark, LoadHead head) {
    LuaCall call = call(LuaScript.LOAD, bucket, 13).add(term).add(mark);
    LuaCall counted = call.add(head.epoch()).add(head.claimed());
    return code(withCeiling(counted, head.ceiling()).add(head.saleNo()));
  }

  @Override
  public Future<BucketCode> loadPage(BucketId bucket, long term, String mark, List<Recorded> page) {
    return inPages(
        page,
        part -> {
          LuaCall call = call(LuaScript.LOAD_PAGE, bucket, 2 + 2 * part.size()).add(term).add(mark);
          for (Recorded recorded : part) {
            call.add(recorded.grant().token().value()).add(GrantRecord.format(recorded));
          }
          return code(call);
        });
  }

  @Override
  public Future<BucketCode> open(BucketId bucket, long term, String mark) {
    return code(call(LuaScript.OPEN, bucket, 2).add(term).add(mark));
  }

  @Override
  public Future<BucketCode> unload(BucketId bucket, long term, String mark) {
    return code(call(LuaScript.UNLOAD, bucket, 2).add(term).add(mark));
  }

  @Override
  public Future<Snapshot> snapshot(BucketId bucket, List<OrderToken> tokens, int unbookedMax) {
    if (tokens.size() > SNAPSHOT_TOKENS_MAX) {
      return outOfRange("up to " + SNAPSHOT_TOKENS_MAX + " tokens", tokens.size());
    }
    if (unbookedMax < 0 || unbookedMax > UNBOOKED_MAX) {
      return outOfRange("0 to " + UNBOOKED_MAX + " unbooked grants", unbookedMax);
    }
    LuaCall call =
        call(LuaScript.SNAPSHOT, bucket, 1 + tokens.size()).add(unbookedMax).expecting(unbookedMax);
    return run(withTokens(call, tokens)).map(reply -> StockReplies.snapshot(reply, tokens));
  }

  @Override
  public Future<Boolean> areQuiet(List<BucketId> buckets) {
    if (buckets.isEmpty() || buckets.size() > BUCKETS_MAX) {
      return outOfRange("1 to " + BUCKETS_MAX + " buckets", buckets.size());
    }
    List<StockKeys> keys = buckets.stream().map(this::keys).toList();
    return run(new LuaCall(LuaScript.QUIET, keys, 0).expecting(keys.size()))
        .map(
            reply ->
                StockReplies.code(reply.get(0)) == BucketCode.OK && reply.get(1).toLong() == 1);
  }

  @Override
  public Future<Boolean> hasAny(List<BucketId> buckets) {
    if (buckets.isEmpty() || buckets.size() > BUCKETS_MAX) {
      return outOfRange("1 to " + BUCKETS_MAX + " buckets", buckets.size());
    }
    Object[] names = new Object[buckets.size() * StockKeys.COUNT];
    for (int i = 0; i < buckets.size(); i++) {
      keys(buckets.get(i)).copyTo(names, i * StockKeys.COUNT);
    }
    return send(io.vertx.redis.client.Request.cmd(Command.EXISTS, names))
        .map(there -> there.toInteger() > 0);
  }

  @Override
  public Future<Long> nowMs() {
    return send(io.vertx.redis.client.Request.cmd(Command.TIME)).map(StockReplies::timeMs);
  }

  @Override
  public Future<String> history() {
    return ask(RedisNode.Lane::info).map(RedisInfo::history);
  }

  @Override
  public Future<Stamp> stamp() {
    return ask(RedisNode.Lane::stamp);
  }

  @Override
  public Future<Duration> replicaLag() {
    return ask(RedisNode.Lane::replicaLag);
  }

  /** Redirects are not followed: such a call fails, and the next goes by the next map. */
  private <T> Future<T> ask(Function<RedisNode.Lane, Future<T>> question) {
    RedisNode.Lane now = lane.get();
    return now == null ? Future.failedFuture(NOBODY) : question.apply(now);
  }

  private Future<Response> run(LuaCall call) {
    RedisNode.Lane now = lane.get();
    return now == null ? Future.failedFuture(NOBODY) : now.run(call);
  }

  private Future<Response> send(io.vertx.redis.client.Request command) {
    return ask(lane -> lane.send(command));
  }

  private LuaCall call(LuaScript script, BucketId bucket, int argumentCount) {
    return new LuaCall(script, keys(bucket), argumentCount);
  }

  private StockKeys keys(BucketId bucket) {
    return StockKeys.of(partition, bucket);
  }

  private Future<BucketCode> code(LuaCall call) {
    return run(call).map(StockReplies::code);
  }

  private static LuaCall withTokens(LuaCall call, List<OrderToken> tokens) {
    for (OrderToken token : tokens) {
      call.add(token.value());
    }
    return call;
  }

  private static LuaCall withCeiling(LuaCall call, BucketTotal ceiling) {
    SkuSettings settings = ceiling.settings();
    return call.add(ceiling.version())
        .add(ceiling.allotted())
        .add(ceiling.state().name())
        .add(settings.opensAtMs())
        .add(settings.closesAtMs())
        .add(settings.limitPerUser())
        .add(settings.paymentWindowS())
        .add(ceiling.skuTotal().isPresent() ? Long.toString(ceiling.skuTotal().getAsLong()) : "");
  }

  private static <T> Future<T> outOfRange(String expected, int actual) {
    return Future.failedFuture(
        new IllegalArgumentException("Expected " + expected + ", but got " + actual));
  }

  /**
   * Runs the step for each page of at most {@link StockStore#BATCH_MAX} items, up to the first page
   * whose code is not OK.
   */
  private static <T> Future<BucketCode> inPages(
      List<T> all, Function<List<T>, Future<BucketCode>> step) {
    if (all.size() <= BATCH_MAX) {
      return all.isEmpty() ? Future.succeededFuture(BucketCode.OK) : step.apply(all);
    }
    AtomicInteger done = new AtomicInteger();
    AtomicReference<BucketCode> last = new AtomicReference<>(BucketCode.OK);
    return AsyncLoop.whileTrue(
            () -> {
              int from = done.get();
              int end = Math.min(from + BATCH_MAX, all.size());
              done.set(end);
              return step.apply(all.subList(from, end))
                  .map(
                      code -> {
                        last.set(code);
                        return code == BucketCode.OK && end < all.size();
                      });
            })
        .map(ended -> last.get());
  }
}
