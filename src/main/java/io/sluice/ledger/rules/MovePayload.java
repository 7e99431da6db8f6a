package io.sluice.ledger.rules;

import io.sluice.ledger.Move;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.Move.Part;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The JSON of requests for units and of the outbox rows that move them. */
public final class MovePayload {
  private static final String PARTITION = "partition";
  private static final String RECEIVED = "received";
  private static final String SALE_NO = "sale_no";
  private static final String UNITS = "units";

  private MovePayload() {}

  static String write(Move move) {
    JsonArray parts = new JsonArray();
    move.parts()
        .forEach(
            part ->
                parts.add(
                    new JsonObject()
                        .put("request", part.requestId())
                        .put("bucket", part.bucket())
                        .put(PARTITION, part.partition())
                        .put(UNITS, part.units())));
    return OutboxPayload.bucketJson(move.from())
        .put(SALE_NO, move.saleNo())
        .put("parts", parts)
        .encode();
  }

  /** The payload of a MOVE row. */
  public static Move moveOf(String payload) {
    JsonObject json = new JsonObject(payload);
    return new Move(
        OutboxPayload.bucketOf(json),
        json.getLong(SALE_NO),
        json.getJsonArray("parts").stream()
            .map(JsonObject.class::cast)
            .map(
                part ->
                    new Part(
                        part.getLong("request"),
                        part.getInteger("bucket"),
                        part.getInteger(PARTITION),
                        part.getLong(UNITS)))
            .toList());
  }

  /** The outbox row that moves units to other buckets. */
  public static OutboxDraft draft(int partition, Move move) {
    return new OutboxDraft(partition, OutboxKind.RESTOCK, OutboxPayload.MOVE, write(move));
  }

  /** The outbox row that raises a bucket to which units were moved. */
  public static OutboxDraft received(int partition, BucketId bucket) {
    String payload = OutboxPayload.bucketJson(bucket).put(RECEIVED, true).encode();
    return new OutboxDraft(partition, OutboxKind.RESTOCK, OutboxPayload.CEILING, payload);
  }

  /** Whether a CEILING row tells of units that were moved to its bucket. */
  public static boolean isReceived(String payload) {
    return new JsonObject(payload).getBoolean(RECEIVED, false);
  }

  /** The payload of a BORROW request. */
  public static String write(Borrow borrow) {
    return OutboxPayload.bucketJson(borrow.from().id())
        .put(PARTITION, borrow.from().partition())
        .put("to", borrow.to().id().bucket())
        .put("to_partition", borrow.to().partition())
        .put(SALE_NO, borrow.saleNo())
        .put("need", borrow.need())
        .put("most", borrow.most())
        .encode();
  }

  /** The payload of a BORROW request. */
  public static Borrow borrowOf(String payload) {
    JsonObject json = new JsonObject(payload);
    BucketId from = OutboxPayload.bucketOf(json);
    return new Borrow(
        new PlacedBucket(json.getInteger(PARTITION), from),
        new PlacedBucket(
            json.getInteger("to_partition"), new BucketId(from.skuId(), json.getInteger("to"))),
        json.getLong(SALE_NO),
        json.getLong("need"),
        json.getLong("most"));
  }

  /** The answer to a request that was served with these units. */
  public static String moved(long units) {
    return new JsonObject().put("moved", units).encode();
  }

  /** The answer to a request that was not served. */
  public static String refused(String why) {
    return new JsonObject().put("refused", why).encode();
  }
}
