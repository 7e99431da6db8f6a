package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.StillBucket;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.testkit.Placements;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A ledger on a real server, which several callers use at once. */
final class RealLedger implements AutoCloseable {
  static final int PARTITIONS = 4;
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  private static final AtomicLong LAST_SKU_ID = new AtomicLong(100);

  final TestDatabase database;
  final MySqlLedger ledger;
  final MySqlSkuLedger skus;

  RealLedger(int connections) {
    this(connections, 20_000);
  }

  RealLedger(int connections, int timeoutMs) {
    database = TestDatabase.migrated(connections, timeoutMs);
    ledger = new MySqlLedger(database.database(), database.meters());
    skus = new MySqlSkuLedger(database.database(), PARTITIONS);
  }

  /** Only then it may have direct SKUs and forget buyers. */
  RealLedger founded() {
    get(
        new MySqlLedgerIdentity(database.database())
            .orderLog(
                PARTITIONS,
                "topic",
                () -> Future.succeededFuture(Map.of(0, 0L, 1, 0L, 2, 0L, 3, 0L))));
    return this;
  }

  static long newSkuId() {
    return LAST_SKU_ID.incrementAndGet();
  }

  /** The first bucket of a new SKU. */
  BucketId put(long skuId, long stock, int buckets, Sku.Mode mode) {
    get(skus.put(new NewSku(skuId, stock, buckets, mode, new SkuSettings(300, 0, 0, 0))));
    return new BucketId(skuId, 0);
  }

  BucketId put(long skuId, long stock, int buckets) {
    return put(skuId, stock, buckets, Sku.Mode.FAST);
  }

  /** Takes the bucket's partition over. */
  Future<Fence> takeOver(BucketId bucket) {
    return ledger.takeOver(Placements.partitionOf(bucket, PARTITIONS), 0);
  }

  BucketRow row(BucketId bucket) {
    return get(ledger.bucket(bucket)).orElseThrow();
  }

  static OrderToken token(BucketId bucket, String user) {
    return TOKENS.tokenFor(user, bucket, null);
  }

  /** Of one unit, which is not due. */
  static Grant grant(BucketId bucket, String user, long seq) {
    return Grants.of(token(bucket, user), user, 1, seq, 1, 1, Long.MAX_VALUE / 2);
  }

  /** Compares a bucket: nothing that is locked for it may change before it is let go. */
  <T> Comparison<T> compare(
      Fence fence, BucketId bucket, Function<StillBucket, Future<T>> lookAgain) {
    Promise<Void> looking = Promise.promise();
    Promise<Void> looked = Promise.promise();
    Future<Optional<T>> end =
        ledger.compare(
            fence,
            bucket,
            still -> {
              looking.tryComplete();
              return looked.future().compose(go -> lookAgain.apply(still));
            });
    get(looking.future());
    return new Comparison<>(looked, end);
  }

  /** What has begun, and waits. */
  record Comparison<T>(Promise<Void> looked, Future<Optional<T>> end) {
    /** What it sees at last. */
    T letGo() {
      looked.complete();
      return get(end).orElseThrow();
    }
  }

  @Override
  public void close() {
    database.close();
  }
}
