package io.sluice.ledger.mysql;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Buckets.LoadRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;

/**
 * Maps rows of the ledger's tables to Java values; columns are in the order of each statement's
 * header.
 */
final class LedgerRows {
  private LedgerRows() {}

  static Fence fence(Row row) {
    return new Fence(row.getInteger(0), row.getLong(1), row.getLong(2));
  }

  static Order order(Row row) {
    String reason = row.getString(6);
    Long latePaidAtMs = row.getLong(9);
    return new Order(
        token(row.getString(0)),
        row.getString(1),
        row.getInteger(2),
        row.getLong(3),
        row.getLong(4),
        OrderStatus.valueOf(row.getString(5)),
        reason == null ? null : Reason.valueOf(reason),
        row.getLong(7),
        row.getLong(8),
        latePaidAtMs == null ? 0 : latePaidAtMs,
        row.getLong(10),
        row.getLong(11));
  }

  static LoadRow loadRow(Row row) {
    Grant grant =
        new Grant(
            token(row.getString(0)),
            row.getString(1),
            row.getInteger(2),
            row.getLong(3),
            row.getLong(4),
            row.getLong(7),
            row.getLong(6));
    return new LoadRow(grant, OrderStatus.valueOf(row.getString(5)).isLive());
  }

  static OrderToken token(String text) {
    return OrderToken.parse(text)
        .orElseThrow(() -> new IllegalStateException("Expected an order token, but found " + text));
  }

  static BucketRow bucket(Row row) {
    return new BucketRow(
        new BucketId(row.getLong(0), row.getInteger(1)),
        row.getInteger(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        SkuState.valueOf(row.getString(8)),
        settings(row.getString(9)));
  }

  /** A locked bucket, without the settings of its SKU. */
  record LockedBucket(
      BucketId id, int partition, long allotted, long held, long sold, long epoch, long version) {
    static LockedBucket of(Row row) {
      return new LockedBucket(
          new BucketId(row.getLong(0), row.getInteger(1)),
          row.getInteger(2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getLong(6),
          row.getLong(7));
    }

    long free() {
      return allotted - held - sold;
    }

    BatchSnapshot.Bucket counters() {
      return new BatchSnapshot.Bucket(id, allotted, held, sold, epoch);
    }
  }

  static OutboxRow outbox(Row row) {
    return new OutboxRow(
        row.getLong(0),
        row.getInteger(1),
        OutboxKind.valueOf(row.getString(2)),
        row.getString(3),
        row.getString(4));
  }

  static Sku sku(Row row) {
    return new Sku(
        row.getLong(0),
        row.getLong(1),
        row.getLong(2),
        row.getInteger(3),
        Sku.Mode.valueOf(row.getString(4)),
        settings(row.getString(5)),
        SkuState.valueOf(row.getString(6)),
        SkuState.valueOf(row.getString(7)));
  }

  static String settings(SkuSettings settings) {
    return new JsonObject()
        .put("payment_window_s", settings.paymentWindowS())
        .put("limit_per_user", settings.limitPerUser())
        .put("opens_at", settings.opensAtMs())
        .put("closes_at", settings.closesAtMs())
        .put("ticket", settings.ticket())
        .encode();
  }

  private static SkuSettings settings(String json) {
    JsonObject settings = new JsonObject(json);
    return new SkuSettings(
        settings.getLong("payment_window_s"),
        settings.getInteger("limit_per_user"),
        settings.getLong("opens_at"),
        settings.getLong("closes_at"),
        // Rows of earlier releases have none.
        settings.getBoolean("ticket", false));
  }
}
