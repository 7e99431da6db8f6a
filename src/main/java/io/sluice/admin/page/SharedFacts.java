package io.sluice.admin.page;

import io.sluice.async.ThrottledTask;
import io.sluice.ledger.Instances;
import io.sluice.ledger.SkuLedger;
import io.sluice.stock.StockConnection.Memory;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Facts that all instances share and that change slowly: which ones run, the last comparison of
 * each partition, the memory of Redis. Read only while it is asked, each at its own pace; if a
 * store does not answer, its last answer stays.
 */
final class SharedFacts {
  static final Duration INSTANCES_EVERY = Duration.ofSeconds(2);
  static final Duration REPORTS_EVERY = Duration.ofSeconds(2);
  static final Duration MEMORY_EVERY = Duration.ofSeconds(1);

  private final ThrottledTask instanceLook;
  private final ThrottledTask reportLook;
  private final ThrottledTask memoryLook;
  private List<String> instances = List.of();
  private Map<Integer, Report> reports = Map.of();
  private @Nullable Memory memory;

  /**
   * The last comparison of a partition with Redis.
   *
   * @param atMs when it ended, by the ledger's clock
   * @param compared how many buckets were
   * @param drift how many of them differed
   */
  record Report(long atMs, long compared, long drift) {}

  /**
   * @param nanoTime a monotonic clock
   */
  SharedFacts(
      SkuLedger ledger, Instances running, Supplier<Future<Memory>> redis, LongSupplier nanoTime) {
    this.instanceLook =
        new ThrottledTask(
            () -> running.running().onSuccess(read -> instances = read), INSTANCES_EVERY, nanoTime);
    this.reportLook =
        new ThrottledTask(
            () -> ledger.reports().onSuccess(read -> reports = parsed(read)),
            REPORTS_EVERY,
            nanoTime);
    this.memoryLook =
        new ThrottledTask(
            () -> redis.get().onSuccess(read -> memory = read), MEMORY_EVERY, nanoTime);
  }

  private static Map<Integer, Report> parsed(Map<Integer, String> texts) {
    Map<Integer, Report> all = new TreeMap<>();
    texts.forEach(
        (partition, text) -> {
          JsonObject json = new JsonObject(text);
          all.put(
              partition,
              new Report(
                  json.getLong("at", 0L), json.getLong("compared", 0L), json.getLong("drift", 0L)));
        });
    return all;
  }

  /** May start reads, which the next call shows. */
  void ask() {
    instanceLook.ask();
    reportLook.ask();
    memoryLook.ask();
  }

  List<String> instances() {
    return instances;
  }

  Map<Integer, Report> reports() {
    return reports;
  }

  /** Null if Redis was not read yet. */
  @Nullable Memory memory() {
    return memory;
  }
}
