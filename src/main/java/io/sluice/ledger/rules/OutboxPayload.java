package io.sluice.ledger.rules;

import io.sluice.ledger.Move;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.Move.Part;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OrderEvent.OrderNotice;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Placement.PlacedBucket;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON of the entries of outbox rows; no other class writes or reads it. */
public final class OutboxPayload {
  /** Event type of RELEASE rows. */
  public static final String RELEASE = "RELEASE";

  /** Event type of RESTOCK rows that set a bucket in Redis to its current total and settings. */
  public static final String CEILING = "CEILING";

  /** Event type of RESTOCK rows that take units back. */
  public static final String TAKE = "TAKE";

  /** Event type of RESTOCK rows that move units to other buckets. */
  public static final String MOVE = "MOVE";

  /** Event type of DEAD rows. */
  public static final String DEAD = "DEAD";

  private static final String PARTITION = "partition";
  private static final String RECEIVED = "received";
  private static final String SALE_NO = "sale_no";
  private static final String SALE_ID = "sale_id";
  private static final String UNITS = "units";
  private static final int TEXT_MAX = 4_096;

  private OutboxPayload() {}

  /**
   * Units to put back on sale. Only the grant with this epoch and seq is released.
   *
   * @param left units that it keeps; 0 once its order has ended
   * @param withdrawn units of it so far that have left the stock, and are not put back on sale
   * @param dueMs until when its order was to be paid, if that is why it ended; else 0
   */
  public record Release(
      OrderToken token, long epoch, long seq, int left, int withdrawn, long dueMs) {
    /** The release of an order of which nothing has left the stock. */
    public Release(OrderToken token, long epoch, long seq, int left, long dueMs) {
      this(token, epoch, seq, left, 0, dueMs);
    }

    /** The release of an order that did not time out. */
    public Release(OrderToken token, long epoch, long seq, int left) {
      this(token, epoch, seq, left, 0);
    }

    /** The same of all units. */
    public Release(OrderToken token, long epoch, long seq) {
      this(token, epoch, seq, 0);
    }

    /** The release of an order, or of a line, after units of it were freed. */
    static Release of(Order after, long dueMs) {
      return new Release(
          after.token(),
          after.epoch(),
          after.seq(),
          after.unitsLeft(),
          after.notes().withdrawnQty(),
          dueMs);
    }

    /**
     * The units of it that Redis goes on counting as taken. They never become more: each refund
     * lowers what is left, by units that are put back on sale or that are withdrawn.
     */
    public int counted() {
      return left + withdrawn;
    }
  }

  /**
   * An intent to take units back.
   *
   * @param round counts from 1; unique together with bucket and restock id
   */
  public record Take(BucketId bucket, String restockId, int round, long units) {
    /** The token of its ledger row. */
    public String id() {
      return RestockPlan.token(restockId, bucket.bucket(), round);
    }
  }

  // ---- writing

  static OutboxDraft event(int partition, OrderNotice notice, long atMs) {
    return new OutboxDraft(
        partition, OutboxKind.EVENT, notice.type().name(), OrderEvent.write(notice, atMs));
  }

  /**
   * @param saleId the sale that the SKU is in, or null
   */
  public static OutboxDraft frozen(
      int partition, long skuId, @Nullable String saleId, String why, long atMs) {
    JsonObject json =
        new JsonObject()
            .put("type", EventType.SKU_FROZEN.name())
            .put("sku_id", skuId)
            .put("why", cut(why))
            .put("at", atMs);
    return ofSku(partition, EventType.SKU_FROZEN, json, saleId);
  }

  /** The event of a SKU, with the sale that it is in. */
  static OutboxDraft ofSku(
      int partition, EventType type, JsonObject json, @Nullable String saleId) {
    if (saleId != null) {
      json.put(SALE_ID, saleId);
    }
    return new OutboxDraft(partition, OutboxKind.EVENT, type.name(), json.encode());
  }

  static OutboxDraft release(int partition, Release release) {
    JsonObject json =
        new JsonObject()
            .put("order_token", release.token().value())
            .put("epoch", release.epoch())
            .put("seq", release.seq());
    if (release.left() > 0) {
      json.put("left", release.left());
    }
    if (release.withdrawn() > 0) {
      json.put("withdrawn", release.withdrawn());
    }
    if (release.dueMs() > 0) {
      json.put("due", release.dueMs());
    }
    return new OutboxDraft(partition, OutboxKind.RELEASE, RELEASE, json.encode());
  }

  /** Releases that were left before, and are left again. */
  public static List<OutboxDraft> releases(int partition, List<String> entries) {
    return entries.stream()
        .map(entry -> new OutboxDraft(partition, OutboxKind.RELEASE, RELEASE, entry))
        .toList();
  }

  public static OutboxDraft ceiling(int partition, BucketId bucket) {
    return new OutboxDraft(partition, OutboxKind.RESTOCK, CEILING, bucketJson(bucket).encode());
  }

  public static OutboxDraft take(int partition, Take take) {
    JsonObject json =
        bucketJson(take.bucket())
            .put("restock_id", take.restockId())
            .put("round", take.round())
            .put("units", take.units());
    return new OutboxDraft(partition, OutboxKind.RESTOCK, TAKE, json.encode());
  }

  static OutboxDraft dead(int partition, String raw, String why, long atMs) {
    JsonObject json = new JsonObject().put("raw", cut(raw)).put("why", cut(why)).put("at", atMs);
    return new OutboxDraft(partition, OutboxKind.DEAD, DEAD, json.encode());
  }

  /** The content of a RESERVE command, for readers of the dead letter. */
  static String rawOf(Command.Reserve reserve) {
    Grant grant = reserve.grant();
    Cart cart = grant.cart();
    JsonObject raw = new JsonObject().put("type", cart == null ? "RESERVE" : "RESERVE_CART");
    if (cart != null) {
      raw.put("lines", cart.text());
    }
    return raw.put("order_token", grant.token().value())
        .put("user_id", cut(grant.userId()))
        .put("qty", grant.qty())
        .put("seq", grant.seq())
        .put("epoch", grant.epoch())
        .put("granted_at", grant.grantedAtMs())
        .put("pay_before", grant.payBeforeMs())
        .encode();
  }

  /**
   * The payload of an owner's request for one bucket, and of an outbox row that only names its
   * bucket.
   */
  public static JsonObject bucketJson(BucketId bucket) {
    return new JsonObject().put("sku_id", bucket.skuId()).put("bucket", bucket.bucket());
  }

  /** The payload of a request for all buckets of a partition. */
  public static JsonObject partitionJson(int partition) {
    return new JsonObject().put("partition", partition);
  }

  // ---- reading

  /** The order of an event; empty if the event concerns a whole SKU. */
  public static Optional<Order> order(String payload) {
    return OrderEvent.read(payload);
  }

  /** Whether events of this type may say more of it than those before. */
  public static boolean namesOrders(String eventType) {
    return OrderEvent.isNaming(eventType);
  }

  /** What an event of such a type says that its order is looked up by. */
  public static List<OrderName> named(String eventType, String payload) {
    return OrderEvent.named(eventType, payload);
  }

  /** Whether an event of this order tells no more than is known; it is not read as a whole. */
  public static boolean isKnown(String payload, Order known) {
    return OrderEvent.isKnown(payload, known);
  }

  /** The record key under which an event is published: its order token, or its SKU. */
  public static String key(String payload) {
    return OrderEvent.tokenOf(payload)
        .orElseGet(() -> String.valueOf(new JsonObject(payload).getLong("sku_id")));
  }

  public static Release releaseOf(String payload) {
    JsonObject json = new JsonObject(payload);
    return new Release(
        token(json.getString("order_token")),
        json.getLong("epoch"),
        json.getLong("seq"),
        json.getInteger("left", 0),
        json.getInteger("withdrawn", 0),
        json.getLong("due", 0L));
  }

  /** The bucket of an owner's request; empty if it concerns a whole partition. */
  public static Optional<BucketId> requestedBucket(String payload) {
    JsonObject json = new JsonObject(payload);
    return json.containsKey("sku_id") ? Optional.of(bucketOf(json)) : Optional.empty();
  }

  /** Whether a RESTOCK row moves units to other buckets. */
  public static boolean isMove(OutboxRow row) {
    return row.eventType().equals(MOVE);
  }

  /** With what the payload of each RESTOCK row of a bucket begins, before a comma or brace. */
  public static String beginOf(BucketId bucket) {
    String whole = bucketJson(bucket).encode();
    return whole.substring(0, whole.length() - 1);
  }

  /** The bucket of a RESTOCK row. */
  public static BucketId bucketOf(String payload) {
    return bucketOf(new JsonObject(payload));
  }

  public static Take takeOf(String payload) {
    JsonObject json = new JsonObject(payload);
    return new Take(
        bucketOf(json),
        json.getString("restock_id"),
        json.getInteger("round"),
        json.getLong("units"));
  }

  static BucketId bucketOf(JsonObject json) {
    return new BucketId(json.getLong("sku_id"), json.getInteger("bucket"));
  }

  private static OrderToken token(String text) {
    return OrderToken.parse(text)
        .orElseThrow(
            () -> new IllegalArgumentException("Expected an order token, but got " + text));
  }

  private static String cut(String text) {
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX);
  }

  // ---- units that move

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
    return bucketJson(move.from()).put(SALE_NO, move.saleNo()).put("parts", parts).encode();
  }

  /** The payload of a MOVE row. */
  public static Move moveOf(String payload) {
    JsonObject json = new JsonObject(payload);
    return new Move(
        bucketOf(json),
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
  public static OutboxDraft move(int partition, Move move) {
    return new OutboxDraft(partition, OutboxKind.RESTOCK, MOVE, write(move));
  }

  /** The outbox row that raises a bucket to which units were moved. */
  public static OutboxDraft received(int partition, BucketId bucket) {
    String payload = bucketJson(bucket).put(RECEIVED, true).encode();
    return new OutboxDraft(partition, OutboxKind.RESTOCK, CEILING, payload);
  }

  /** Whether a CEILING row tells of units that were moved to its bucket. */
  public static boolean isReceived(String payload) {
    return new JsonObject(payload).getBoolean(RECEIVED, false);
  }

  /** The payload of a BORROW request. */
  public static String write(Borrow borrow) {
    return bucketJson(borrow.from().id())
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
    BucketId from = bucketOf(json);
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

  /** A new outbox row, which has no id yet. */
  public record OutboxDraft(int partition, OutboxKind kind, String eventType, String payload) {

    /**
     * Whether anybody waits for it: nothing of a SKU that sells in the ledger alone is in Redis.
     */
    public boolean isDelivered() {
      boolean isForRedis = kind == OutboxKind.RELEASE || kind == OutboxKind.RESTOCK;
      return partition != Placement.DIRECT || !isForRedis;
    }
  }
}
