package io.sluice.admin;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.BucketRow;
import io.sluice.model.Grant;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Stock;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads buckets from Redis, a limited number at once. */
record BucketViews(Stock stock) {
  private static final Logger log = LoggerFactory.getLogger(BucketViews.class);
  private static final int AT_ONCE_MAX = 32;

  /**
   * A bucket as Redis and as the ledger has it. The two are read one after the other, so at full
   * load they may differ without any drift. The reconciler, which compares between two batches,
   * decides.
   *
   * @param redis null if it does not answer, or has nothing of the bucket
   */
  record BucketView(BucketRow ledger, @Nullable Snapshot redis) {
    /**
     * The maximum number of unbooked grants that are read to explain a difference; with more, drift
     * is not shown.
     */
    static final int UNBOOKED_MAX = 2_000;

    /** Units that Redis has granted and that are not known there to be booked; empty if unknown. */
    OptionalLong inFlight() {
      if (ledger.isDirect()) {
        return OptionalLong.of(0);
      }
      Snapshot snapshot = readable();
      if (snapshot == null || snapshot.unbookedCount() > snapshot.unbooked().size()) {
        return OptionalLong.empty();
      }
      return OptionalLong.of(snapshot.unbooked().stream().mapToLong(Grant::qty).sum());
    }

    /** Units that differ without being explained by unbooked grants; empty if unknown. */
    OptionalLong drift() {
      if (ledger.isDirect()) {
        return OptionalLong.of(0);
      }
      Snapshot snapshot = readable();
      OptionalLong inFlight = inFlight();
      if (snapshot == null || inFlight.isEmpty()) {
        return OptionalLong.empty();
      }
      long ahead = snapshot.claimed() - snapshot.released() - ledger.counted();
      // Unbooked grants in Redis may be in the ledger already, none to all of them, so a difference
      // of up to their number is explained.
      long unexplained = ahead < 0 ? -ahead : Math.max(0, ahead - inFlight.getAsLong());
      boolean comparable = snapshot.version() == ledger.version();
      long ceiling = comparable ? Math.abs(snapshot.total() - ledger.total()) : 0;
      return OptionalLong.of(unexplained + ceiling);
    }

    /**
     * Whether Redis serves at least the version and epoch of the ledger; nothing of a bucket is
     * shown that has ended, or sells in the ledger alone.
     */
    boolean isShown() {
      Snapshot snapshot = readable();
      return ledger.state().isEnded()
          || ledger.isDirect()
          || (snapshot != null
              && snapshot.version() >= ledger.version()
              && snapshot.epoch() >= ledger.epoch());
    }

    /** Whether Redis grants nothing more of the bucket, whose SKU is ending; it may be gone. */
    boolean hasStopped() {
      return isShown() || (redis != null && redis.code() == BucketCode.ABSENT);
    }

    private @Nullable Snapshot readable() {
      return redis != null && redis.code() == BucketCode.OK ? redis : null;
    }

    JsonObject json() {
      return new JsonObject()
          .put("bucket", ledger.id().bucket())
          .put("partition", ledger.isDirect() ? null : (Integer) ledger.partition())
          .put("redis", ledger.isDirect() ? null : redisJson())
          .put("ledger", ledgerJson())
          .put("in_flight", orNull(inFlight()))
          .put("drift", orNull(drift()));
    }

    private JsonObject ledgerJson() {
      JsonObject json =
          new JsonObject()
              .put("allotted", ledger.allotted())
              .put("held", ledger.held())
              .put("sold", ledger.sold())
              .put("available", ledger.free())
              .put("epoch", ledger.epoch())
              .put("version", ledger.version());
      return ledger.withdrawn() == 0 ? json : json.put("withdrawn", ledger.withdrawn());
    }

    private JsonObject redisJson() {
      if (redis == null) {
        return new JsonObject().put("code", "UNAVAILABLE");
      }
      JsonObject json = new JsonObject().put("code", redis.code().name());
      if (redis.code() == BucketCode.ABSENT) {
        return json;
      }
      return json.put("total", redis.total())
          .put("claimed", redis.claimed())
          .put("released", redis.released())
          .put("available", redis.available())
          .put("epoch", redis.epoch())
          .put("version", redis.version())
          .put("unbooked", redis.unbookedCount());
    }

    private static @Nullable Long orNull(OptionalLong value) {
      return value.isPresent() ? value.getAsLong() : null;
    }
  }

  /**
   * Reads these buckets, in order. Never fails: a value that cannot be read from Redis is missing
   * in the view.
   */
  Future<List<BucketView>> of(List<BucketRow> rows, int unbookedMax) {
    List<BucketView> seen = new ArrayList<>(rows.size());
    return AsyncLoop.forEach(
            AsyncLoop.parts(rows, AT_ONCE_MAX),
            part -> {
              List<Future<BucketView>> looks =
                  part.stream().map(row -> look(row, unbookedMax)).toList();
              return Future.all(looks)
                  .onSuccess(all -> looks.forEach(view -> seen.add(view.result())));
            })
        .map(seen);
  }

  /** Whether Redis shows each of these buckets like this. Never fails. */
  Future<Boolean> all(List<BucketRow> rows, Predicate<BucketView> shows) {
    return of(rows, 0).map(seen -> seen.stream().allMatch(shows));
  }

  private Future<BucketView> look(BucketRow row, int unbookedMax) {
    if (row.isDirect()) {
      return Future.succeededFuture(new BucketView(row, null));
    }
    return stock
        .at(row.partition())
        .snapshot(row.id(), List.of(), unbookedMax)
        .map(snapshot -> new BucketView(row, snapshot))
        .otherwise(
            cause -> {
              log.atDebug()
                  .setCause(cause)
                  .addKeyValue("bucket", row.id())
                  .log("bucket cannot be read from Redis");
              return new BucketView(row, null);
            });
  }
}
