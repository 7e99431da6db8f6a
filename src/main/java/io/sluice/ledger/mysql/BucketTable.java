package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.mysql.BucketTable.LockedBucket;
import io.sluice.ledger.mysql.SkuTable.DeletedSku;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.Gathering;
import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The buckets: allotments, counters, epochs and versions. Locked after the fence and the SKU, in
 * bucket order.
 */
final class BucketTable {
  /** The number of the write that creates a bucket. */
  static final long FIRST_WRITE = 0;

  private BucketTable() {}

  /**
   * The buckets that exist among these.
   *
   * @param ids in bucket order, to avoid deadlocks
   */
  static Future<List<LockedBucket>> lock(SqlSession session, Collection<BucketId> ids) {
    List<Tuple> items = ids.stream().map(id -> Tuple.of(id.skuId(), id.bucket())).toList();
    return session.selectEach(
        SqlStatement.LOCK_BUCKETS, Items.of(items), Columns.to(LockedBucket.class));
  }

  /** All buckets of a SKU, in order. */
  static Future<List<LockedBucket>> lockAll(SqlSession session, long skuId) {
    return session.select(
        SqlStatement.LOCK_SKU_BUCKETS, Tuple.of(skuId), Columns.to(LockedBucket.class));
  }

  /**
   * A bucket of which a batch has appended rows.
   *
   * @param before as it was locked
   * @param rejected how many of its orders the batch has rejected
   * @param noted how many notes the batch has added
   * @param gathered units that have come from other buckets of the SKU, or, negative, gone there
   */
  record Written(
      LockedBucket before, BatchSnapshot.Bucket after, long rejected, long noted, long gathered) {
    private Tuple row() {
      return Columns.of(
          after.id(),
          after.held(),
          after.sold(),
          before.held(),
          before.sold(),
          after.epoch(),
          before.writes(),
          rejected,
          noted,
          before.base() - after.base(),
          after.withdrawn() - before.withdrawn(),
          gathered,
          Gathering.versionsRaised(gathered));
    }
  }

  /** Writes the counters of these buckets in one statement. */
  static Future<Void> count(SqlSession session, List<Written> changes) {
    return session.updateRows(
        SqlStatement.UPDATE_COUNTERS, changes.stream().map(Written::row).toList());
  }

  /**
   * A bucket of a new SKU.
   *
   * @param allotted its units
   * @param sinceEpoch that of a deleted SKU which had the id; 0 if there was none
   */
  record NewBucket(PlacedBucket placed, long allotted, long epoch, long version, long sinceEpoch) {
    static NewBucket of(PlacedBucket placed, long allotted, DeletedSku before) {
      return new NewBucket(
          placed, allotted, before.epoch() + 1, before.version() + 1, before.epoch());
    }
  }

  /** Adds buckets. */
  static Future<Void> insert(SqlSession session, List<NewBucket> buckets) {
    return session.insert(
        SqlStatement.INSERT_BUCKETS, buckets.stream().<Tuple>map(Columns::of).toList());
  }

  /** Those buckets of SKUs, which are locked, that have ended; in order. */
  static Future<List<LockedBucket>> lockEnded(SqlSession session, List<Long> skuIds) {
    return session.selectEach(
        SqlStatement.LOCK_ENDED_BUCKETS, Items.ofEach(skuIds), Columns.to(LockedBucket.class));
  }

  /**
   * A bucket that has ended, and what its next sale makes of it.
   *
   * @param placed where it is from now on
   * @param units of the next sale
   */
  record Rejoined(LockedBucket before, PlacedBucket placed, long units) {
    private Tuple row() {
      return Columns.of(
          before.id(),
          placed.partition(),
          before.allotted() + added(),
          base(),
          before.epoch(),
          before.epoch() + 1,
          before.version() + 1,
          before.writes());
    }

    /** The units that orders of the sales before hold or have bought. */
    long base() {
      return before.held() + before.sold();
    }

    /** Whether it was in another partition. */
    boolean moves() {
      return before.partition() != placed.partition();
    }

    /** How its allotment changes. */
    long added() {
      return base() + units - before.allotted();
    }
  }

  /** Begins the next sale of these buckets. Those that move leave a trace where they were. */
  static Future<Void> rejoin(SqlSession session, List<Rejoined> buckets) {
    return session
        .updateRows(SqlStatement.REJOIN_BUCKETS, buckets.stream().map(Rejoined::row).toList())
        .compose(done -> moveFormerPlaces(session, buckets));
  }

  private static Future<Void> moveFormerPlaces(SqlSession session, List<Rejoined> buckets) {
    List<Rejoined> moved = buckets.stream().filter(Rejoined::moves).toList();
    if (moved.isEmpty()) {
      return Future.succeededFuture();
    }
    List<Tuple> left =
        moved.stream()
            .map(Rejoined::before)
            .map(was -> Columns.of(was.partition(), was.id()))
            .toList();
    JsonArray back = new JsonArray();
    moved.stream()
        .map(Rejoined::placed)
        .map(now -> JsonArray.of(now.partition(), now.id().skuId(), now.id().bucket()))
        .forEach(back::add);
    return session
        .insert(SqlStatement.KEEP_FORMER_PLACES, left)
        .compose(kept -> session.update(SqlStatement.DELETE_FORMER_PLACES, Tuple.of(back.encode())))
        .mapEmpty();
  }

  /** Changes the allotment by {@code units}, which may be negative, and raises the version. */
  static Future<Void> changeAllotment(SqlSession session, BucketId id, long units) {
    return session.updateOne(
        SqlStatement.CHANGE_ALLOTMENT, Tuple.of(units, id.skuId(), id.bucket()));
  }

  /**
   * Raises the versions of all buckets of SKUs, so that Redis accepts their new settings or state.
   *
   * @param skuIds in rising order, to avoid deadlocks
   */
  static Future<Void> raiseVersions(SqlSession session, List<Long> skuIds) {
    return session.updateEach(SqlStatement.RAISE_VERSIONS, Items.ofEach(skuIds)).mapEmpty();
  }

  /** Begins a new epoch of a bucket, above both its own and the one that was seen. */
  static Future<Void> raiseEpoch(SqlSession session, int partition, BucketId id, long epochSeen) {
    return session.updateOne(
        SqlStatement.RAISE_EPOCH, Tuple.of(epochSeen, id.skuId(), id.bucket(), partition));
  }

  /** Reads a bucket without a lock; empty if there is none. */
  static Future<Optional<BucketRow>> read(SqlSession session, BucketId id) {
    return session.first(
        SqlStatement.READ_BUCKET, Tuple.of(id.skuId(), id.bucket()), Columns.to(BucketRow.class));
  }

  /** All buckets of these SKUs, by SKU. */
  static Future<Map<Long, List<BucketRow>>> ofSkus(SqlSession session, Collection<Long> skuIds) {
    return session
        .selectEach(
            SqlStatement.LIST_SKU_BUCKETS, Items.ofEach(skuIds), Columns.to(BucketRow.class))
        .map(found -> found.stream().collect(Collectors.groupingBy(row -> row.id().skuId())));
  }

  /** The next buckets that are gone from a partition, in order of their ids. */
  static Future<List<BucketId>> gonePage(
      SqlSession session, int partition, Optional<BucketId> after, int limit) {
    BucketId from = after.orElse(new BucketId(0, -1));
    List<Object> page = List.of(partition, from.skuId(), from.skuId(), from.bucket(), limit);
    return session.select(
        SqlStatement.LIST_GONE_BUCKETS,
        Tuple.wrap(Stream.of(page, page, List.of(limit)).flatMap(List::stream).toList()),
        Columns.to(BucketId.class));
  }

  static Future<List<BucketId>> ofSameSale(
      SqlSession session, int partition, long skuId, Optional<BucketId> after, int limit) {
    BucketId from = after.orElse(new BucketId(0, -1));
    return session.select(
        SqlStatement.LIST_BUCKETS_OF_SAME_SALE,
        Tuple.of(skuId, partition, from.skuId(), from.skuId(), from.bucket(), limit),
        Columns.to(BucketId.class));
  }

  /**
   * Ends a bucket of a locked SKU, if nothing of it is held; returns whether all have ended now.
   */
  static Future<Boolean> end(SqlSession session, BucketId id) {
    return session
        .update(SqlStatement.END_BUCKET, Tuple.of(id.skuId(), id.bucket()))
        .compose(
            ended ->
                session.only(
                    SqlStatement.COUNT_UNENDED,
                    Tuple.of(id.skuId()),
                    row -> row.getInteger(0) == 0));
  }

  /** The next buckets of a partition that have not ended, in order of their ids. */
  static Future<List<BucketRow>> page(
      SqlSession session, int partition, Optional<BucketId> after, int limit) {
    BucketId from = after.orElse(new BucketId(0, -1));
    return session.select(
        SqlStatement.LIST_BUCKETS,
        Tuple.of(partition, from.skuId(), from.skuId(), from.bucket(), limit),
        Columns.to(BucketRow.class));
  }

  /**
   * A locked bucket, without the settings of its SKU.
   *
   * @param writes how many transactions have appended rows of it
   * @param rejects how many of its orders were rejected
   * @param notes how many notes its orders have
   * @param archived how many rows of its orders are in the archive
   * @param base units that orders of earlier sales hold or have bought
   * @param sinceEpoch the last epoch of earlier sales, or 0
   * @param withdrawn units of orders of the current sale that have left the stock
   */
  record LockedBucket(
      BucketId id,
      int partition,
      long allotted,
      long held,
      long sold,
      long epoch,
      long version,
      long writes,
      long rejects,
      long notes,
      long archived,
      long base,
      long sinceEpoch,
      long withdrawn) {
    /** The number of the write that appends rows of this bucket in the current transaction. */
    long nextWrite() {
      return writes + 1;
    }

    /** The units that nobody holds or has bought. */
    long free() {
      return allotted - held - sold;
    }

    /** The rows that a batch counts on. */
    BatchSnapshot.Bucket counters() {
      return new BatchSnapshot.Bucket(id, allotted, held, sold, epoch, base, sinceEpoch, withdrawn);
    }
  }
}
