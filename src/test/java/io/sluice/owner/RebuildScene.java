package io.sluice.owner;

import io.sluice.async.Backoff;
import io.sluice.async.ExecutionSequencer;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.metrics.TestMeters;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.orderlog.OrderLog;
import io.sluice.stock.BucketCode;
import io.sluice.stock.InMemoryStock;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.sluice.testkit.ManualClock;
import io.sluice.testkit.Ports;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A rebuilder whose stores answer asynchronously, one call after the other, like real ones. */
final class RebuildScene {
  static final int BUCKETS_PER_SKU = 250;
  private static final Duration GRANT_DEADLINE = Duration.ofSeconds(2);
  private static final SkuSettings SETTINGS = new SkuSettings(300, 0, 0, 0);

  private final ManualClock clock = new ManualClock();
  final InMemoryLedger ledger;
  final InMemoryOrderLog log = new InMemoryOrderLog();
  final InMemoryStock stock = new InMemoryStock(clock, "redis1");
  private final Queue<Runnable> answers = new ArrayDeque<>();
  private final Map<Duration, List<Promise<Void>>> timers = new HashMap<>();

  /**
   * Scripted answers by method: the answer for these arguments, or null to call the real method.
   */
  final Map<String, Function<Object[], Future<?>>> instead = new HashMap<>();

  /** The buckets of each call of a stock method, in order. */
  final Map<String, List<BucketId>> called = new HashMap<>();

  private final FailedPasses failedPasses = new FailedPasses();
  int lost;
  final OwnerContext context;
  final Rebuilder unit;
  final Ownership ownership;
  final ExecutionSequencer sequencer;
  final BackgroundTasks tasks;

  RebuildScene() {
    this(1);
  }

  RebuildScene(int partitions) {
    ledger = new InMemoryLedger(partitions, clock);
    ownership = new Ownership(ledger.takeOver(0, 0).result(), new KnownFences(), () -> lost++);
    context =
        OwnerContext.of(
            ownership,
            slow(Ledger.class, ledger),
            slow(StockStore.class, stock),
            slow(OrderLog.class, log),
            new InMemoryEvents(),
            this::after,
            TestMeters.ofOwner(),
            Traces.OFF);
    sequencer = context.sequencer();
    tasks = context.tasks();
    unit = new Rebuilder(context, GRANT_DEADLINE);
  }

  /** Creates SKUs; returns their buckets, which are to be loaded but not yet requested. */
  List<BucketId> addSkus(int firstSkuId, int skus) {
    IntStream.range(firstSkuId, firstSkuId + skus)
        .forEach(id -> ledger.put(new NewSku(id, 1_000, BUCKETS_PER_SKU, Sku.Mode.FAST, SETTINGS)));
    return IntStream.range(firstSkuId, firstSkuId + skus)
        .boxed()
        .flatMap(
            id ->
                Stream.iterate(0, bucket -> bucket + 1)
                    .limit(BUCKETS_PER_SKU)
                    .map(bucket -> new BucketId(id, bucket)))
        .toList();
  }

  /** The same, but they were open and Redis has lost them. */
  List<BucketId> lostSkus(int firstSkuId, int skus) {
    List<BucketId> buckets = addSkus(firstSkuId, skus);
    request(buckets);
    run();
    stock.wipe();
    called.clear();
    return buckets;
  }

  /** The bucket of a SKU that has no other, of this owner; it was open and Redis has lost it. */
  BucketId soleBucket(long fromSkuId) {
    long skuId = fromSkuId;
    do {
      ledger.put(new NewSku(++skuId, 1_000, 1, Sku.Mode.FAST, SETTINGS));
    } while (ledger.bucket(new BucketId(skuId, 0)).result().orElseThrow().partition()
        != ownership.partition());
    BucketId bucket = new BucketId(skuId, 0);
    request(List.of(bucket));
    run();
    stock.wipe();
    return bucket;
  }

  void close(long skuId) {
    ledger.change(skuId, StateChange.CLOSE);
  }

  List<Future<Void>> request(List<BucketId> buckets) {
    return buckets.stream().map(bucket -> unit.request(bucket, "test")).toList();
  }

  boolean isOpen(BucketId bucket) {
    return stock.snapshot(bucket, List.of(), 0).result().code() == BucketCode.OK;
  }

  /** Answers the stores' calls until none is pending. */
  void run() {
    for (Runnable next = answers.poll(); next != null; next = answers.poll()) {
      next.run();
    }
    failedPasses.expectNone();
  }

  /** Lets the wait for earlier grants pass, and answers the stores' calls. */
  void waitForGrants() {
    pass(GRANT_DEADLINE.plus(Rebuilder.EarlierGrants.AFTER_DEADLINE));
    run();
  }

  /** The number of waits for earlier grants. */
  int waits() {
    return timers
        .getOrDefault(GRANT_DEADLINE.plus(Rebuilder.EarlierGrants.AFTER_DEADLINE), List.of())
        .size();
  }

  /** Lets all pauses after failures pass, and answers the stores' calls. */
  void retry() {
    List.copyOf(timers.keySet()).stream()
        .filter(delay -> delay.compareTo(Backoff.MAX) <= 0)
        .forEach(this::pass);
    run();
  }

  /** The calls of this method fail for these buckets. */
  void failFor(String call, Collection<BucketId> broken) {
    Set<BucketId> all = Set.copyOf(broken);
    instead.put(
        call,
        arguments ->
            arguments[0] instanceof BucketId bucket && all.contains(bucket)
                ? Future.failedFuture(new StockUnavailableException("broken", null))
                : null);
  }

  /** What a rebuilder is told each second. */
  void ticks(long count) {
    for (long tick = 0; tick < count; tick++) {
      unit.tick();
    }
  }

  private void pass(Duration delay) {
    List<Promise<Void>> due = timers.remove(delay);
    if (due != null) {
      due.forEach(Promise::complete);
    }
  }

  private Future<Void> after(Duration delay) {
    Promise<Void> promise = Promise.promise();
    timers.computeIfAbsent(delay, key -> new ArrayList<>()).add(promise);
    return promise.future();
  }

  private <S> S slow(Class<S> port, S target) {
    return Ports.answering(
        port,
        (proxy, method, arguments) -> {
          Promise<Object> answer = Promise.promise();
          answers.add(() -> answer(target, method, arguments, answer));
          return answer.future();
        });
  }

  @SuppressWarnings("unchecked")
  private void answer(Object target, Method method, Object[] arguments, Promise<Object> answer) {
    if (arguments != null && arguments[0] instanceof BucketId bucket) {
      called.computeIfAbsent(method.getName(), name -> new ArrayList<>()).add(bucket);
    }
    Future<?> otherwise = instead.getOrDefault(method.getName(), call -> null).apply(arguments);
    try {
      Future<?> now = otherwise == null ? (Future<?>) method.invoke(target, arguments) : otherwise;
      ((Future<Object>) now).onComplete(answer);
    } catch (InvocationTargetException | IllegalAccessException thrown) {
      throw new IllegalStateException(thrown);
    }
  }
}
