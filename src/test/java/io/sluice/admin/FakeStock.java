package io.sluice.admin;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BookedMark;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A stock store that can only be read: the endpoints for operators make no other call. */
public final class FakeStock {
  public final AtomicInteger looks = new AtomicInteger();
  public volatile Function<BucketId, Future<Snapshot>> snapshots =
      bucket -> Future.succeededFuture(snapshot(BucketCode.OK, 1, 1, 0));

  public StockStore store() {
    return Ports.partly(StockStore.class, this);
  }

  Future<Snapshot> snapshot(BucketId bucket, List<OrderToken> tokens, int unbookedMax) {
    looks.incrementAndGet();
    return snapshots.apply(bucket);
  }

  /** A bucket of 100 units, 50 held or sold, and this many unbooked. */
  public static Snapshot snapshot(BucketCode code, long epoch, long version, int unbooked) {
    return snapshot(code, 100, 60 + unbooked, 10, epoch, version, unbooked);
  }

  public static Snapshot snapshot(
      BucketCode code,
      long total,
      long claimed,
      long released,
      long epoch,
      long version,
      int unbooked) {
    OrderToken token = OrderToken.parse("7.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
    List<Grant> grants =
        IntStream.range(0, unbooked)
            .mapToObj(i -> Grants.of(token, "alice", 1, 51 + i, epoch, 1, 2))
            .toList();
    return snapshot(code, total, claimed, released, epoch, version, unbooked, grants);
  }

  /**
   * @param unbooked of which these grants were read
   */
  static Snapshot snapshot(
      BucketCode code,
      long total,
      long claimed,
      long released,
      long epoch,
      long version,
      int unbooked,
      List<Grant> grants) {
    return new Snapshot(
        code,
        total,
        claimed,
        released,
        epoch,
        version,
        1,
        SkuState.OPEN,
        FakeLedger.SETTINGS,
        BookedMark.NOTHING,
        0,
        unbooked,
        grants,
        Map.of(),
        StockStore.UNKNOWN);
  }
}
