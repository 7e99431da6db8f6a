package io.sluice.ledger.mysql;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.model.BucketId;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Maps rows of the ledger's tables to Java values; columns are in the order of each statement's
 * header.
 */
public final class LedgerRows {
  private LedgerRows() {}

  /** A row of fences. */
  public static Fence fence(Row row) {
    return new Fence(row.getInteger(0), row.getLong(1), row.getLong(2));
  }

  /** A row of buckets. */
  public static BucketRow bucket(Row row) {
    return new BucketRow(
        new BucketId(row.getLong(0), row.getInteger(1)),
        row.getInteger(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        SkuState.valueOf(row.getString(8)),
        settings(row.getString(9)),
        row.getLong(10),
        row.getLong(11),
        row.getLong(12),
        skuTotal(row.getLong(13)),
        row.getInteger(14) != 0);
  }

  private static OptionalLong skuTotal(@Nullable Long found) {
    return found == null ? OptionalLong.empty() : OptionalLong.of(found);
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
   */
  public record LockedBucket(
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
      long sinceEpoch) {
    static LockedBucket of(Row row) {
      return new LockedBucket(
          new BucketId(row.getLong(0), row.getInteger(1)),
          row.getInteger(2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getLong(6),
          row.getLong(7),
          row.getLong(8),
          row.getLong(9),
          row.getLong(10),
          row.getLong(11),
          row.getLong(12),
          row.getLong(13));
    }

    /** The number of the write that appends rows of this bucket in the current transaction. */
    public long nextWrite() {
      return writes + 1;
    }

    /** The units that nobody holds or has bought. */
    public long free() {
      return allotted - held - sold;
    }

    /** The rows that a batch counts on. */
    public BatchSnapshot.Bucket counters() {
      return new BatchSnapshot.Bucket(id, allotted, held, sold, epoch, base, sinceEpoch);
    }
  }

  /** A row of the outbox. */
  public static OutboxRow outbox(Row row) {
    return new OutboxRow(
        row.getLong(0),
        row.getInteger(1),
        OutboxKind.valueOf(row.getString(2)),
        row.getString(3),
        row.getString(4),
        row.getLong(5));
  }

  /** A row of SKUs. */
  public static Sku sku(Row row) {
    return new Sku(
        row.getLong(0),
        row.getLong(1),
        row.getLong(2),
        row.getInteger(3),
        Sku.Mode.valueOf(row.getString(4)),
        settings(row.getString(5)),
        SkuState.valueOf(row.getString(6)),
        SkuState.valueOf(row.getString(7)),
        placement(row.getInteger(3), new JsonObject(row.getString(8))),
        membership(row));
  }

  private static Membership membership(Row row) {
    long saleNo = row.getLong(9);
    return saleNo == 0
        ? Membership.NONE
        : new Membership(
            saleNo, row.getString(10), row.getInteger(11) != 0, row.getLong(12), row.getLong(13));
  }

  private static Placement placement(int buckets, JsonObject partitions) {
    return new Placement(
        IntStream.range(0, buckets)
            .mapToObj(bucket -> partitions.getInteger(Integer.toString(bucket)))
            .toList());
  }

  /** The settings as they are stored, in JSON. */
  public static String settings(SkuSettings settings) {
    return new JsonObject()
        .put("payment_window_s", settings.paymentWindowS())
        .put("limit_per_user", settings.limitPerUser())
        .put("opens_at", settings.opensAtMs())
        .put("closes_at", settings.closesAtMs())
        .put("ticket", settings.ticket())
        .put("low_percent", settings.marks().lowPercent())
        .put("last_percent", settings.marks().lastPercent())
        .encode();
  }

  static SkuSettings settings(String json) {
    JsonObject settings = new JsonObject(json);
    return new SkuSettings(
        settings.getLong("payment_window_s"),
        settings.getInteger("limit_per_user"),
        settings.getLong("opens_at"),
        settings.getLong("closes_at"),
        settings.getBoolean("ticket"),
        new Watermarks(settings.getInteger("low_percent"), settings.getInteger("last_percent")));
  }
}
