package io.sluice.ledger;

import io.sluice.ledger.InMemoryArchives.ArchiveJob;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.Ledger.InstanceSettings;
import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.BatchSnapshot.SaleKey;
import io.sluice.ledger.rules.Gathering;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.RestockPlan.Part;
import io.sluice.ledger.rules.RestockPlan.Restock;
import io.sluice.ledger.rules.SkuRules.Shape;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The tables of an {@link InMemoryLedger}, with the constraints of the database's tables. */
final class InMemoryTables {
  final Map<Integer, Fence> fences = new TreeMap<>();
  final Map<Long, Sku> skus = new TreeMap<>();
  final Map<String, Sale> sales = new TreeMap<>();
  final TreeMap<BucketId, Bucket> buckets = new TreeMap<>();
  final Map<OrderToken, Order> orders =
      new TreeMap<>(Comparator.comparing((OrderToken token) -> token.value()));
  final List<StockTxn> rows = new ArrayList<>();
  final Map<Long, StoredOutbox> outbox = new TreeMap<>();
  final Map<Long, StoredRequest> requests = new TreeMap<>();
  final Map<RestockKey, Restock> restocks = new HashMap<>();
  final Map<RestockKey, List<Part>> parts = new HashMap<>();
  final List<Correction> corrections = new ArrayList<>();
  final InMemoryGone gone = new InMemoryGone();
  final Map<Integer, String> reports = new TreeMap<>();
  final Map<Integer, Reading> readings = new TreeMap<>();
  final Map<Long, ArchiveJob> archives = new TreeMap<>();
  final Map<Long, MarkedStock> marks = new TreeMap<>();
  final Map<String, Forgotten> forgets = new TreeMap<>();
  final InMemoryEarlier earlier = new InMemoryEarlier();
  final Map<Long, DeletedSku> deleted = new TreeMap<>();
  private final Set<String> rowKeys = new HashSet<>();
  InstanceSettings longest = new InstanceSettings(0, 0);
  private long lastId;

  /** How many rows of moves were folded; those of all SKUs are in one list. */
  long folded;

  /** What SKUs must have whose ids deleted ones had. */
  Map<Long, Shape> shapes() {
    Map<Long, Shape> shapes = new TreeMap<>();
    deleted.forEach((skuId, before) -> shapes.put(skuId, before.shape()));
    return shapes;
  }

  /** The sales that SKUs are in and were in. */
  Map<SaleKey, String> saleIds() {
    Map<SaleKey, String> ids = new HashMap<>();
    Stream.concat(skus.values().stream(), earlier.all())
        .filter(sku -> sku.membership().isInSale())
        .forEach(sku -> ids.put(new SaleKey(sku.skuId(), sku.saleNo()), sku.membership().saleId()));
    return ids;
  }

  record Bucket(
      int partition,
      long allotted,
      long held,
      long sold,
      long epoch,
      long version,
      long base,
      long sinceEpoch,
      long withdrawn) {
    /**
     * A bucket of a new SKU.
     *
     * @param before the deleted one that had its id
     */
    static Bucket of(int partition, long allotted, DeletedSku before) {
      return new Bucket(
          partition,
          allotted,
          0,
          0,
          before.epoch() + 1,
          before.version() + 1,
          0,
          before.epoch(),
          0);
    }

    Bucket counted(long newHeld, long newSold) {
      return new Bucket(
          partition, allotted, newHeld, newSold, epoch, version, base, sinceEpoch, withdrawn);
    }

    Bucket allotted(long units) {
      return new Bucket(
          partition, allotted + units, held, sold, epoch, version + 1, base, sinceEpoch, withdrawn);
    }

    Bucket gathered(long units) {
      long raised = version + Gathering.versionsRaised(units);
      return new Bucket(
          partition, allotted + units, held, sold, epoch, raised, base, sinceEpoch, withdrawn);
    }

    Bucket nextVersion() {
      return allotted(0);
    }

    Bucket nextEpoch(long seen) {
      return inEpoch(Math.max(epoch, seen) + 1);
    }

    Bucket inEpoch(long raised) {
      return new Bucket(
          partition, allotted, held, sold, raised, version, base, sinceEpoch, withdrawn);
    }

    /** As a batch leaves what has left the stock, of earlier sales and of the current one. */
    Bucket without(BatchSnapshot.Bucket after) {
      long returned = base - after.base();
      long left = after.withdrawn() - withdrawn;
      return new Bucket(
          partition,
          allotted - returned - left,
          held,
          sold,
          epoch,
          version,
          after.base(),
          sinceEpoch,
          after.withdrawn());
    }

    Bucket again(int newPartition, long units) {
      long before = held + sold;
      return new Bucket(
          newPartition, before + units, held, sold, epoch + 1, version + 1, before, epoch, 0);
    }

    long free() {
      return allotted - held - sold;
    }
  }

  record StoredOutbox(OutboxRow row, boolean sent) {

    /** Not another row, which has got the id of one that a restored ledger has lost. */
    boolean is(OutboxRow other) {
      return row.partition() == other.partition() && row.createdAtMs() == other.createdAtMs();
    }
  }

  record StoredRequest(OwnerRequest request, String answer, long createdAtMs) {

    /** Keeps the first answer. */
    StoredRequest answered(String given) {
      return answer == null ? new StoredRequest(request, given, createdAtMs) : this;
    }
  }

  /** The numbers that a deleted SKU has used up. */
  record DeletedSku(long saleNo, long epoch, long version, Shape shape) {
    static final DeletedSku NONE = new DeletedSku(0, 0, 0, new Shape(1, Sku.Mode.FAST));
  }

  record RestockKey(long skuId, String restockId) {}

  Fence fence(int partition) {
    return fences.getOrDefault(partition, new Fence(partition, 0, 0));
  }

  Fence raise(int partition, long seen, Optional<Long> nextOffset, long nowMs) {
    Fence now = fence(partition);
    long term = Math.max(Math.max(now.term(), seen) + 1, nowMs);
    Fence raised = new Fence(partition, term, nextOffset.orElse(now.nextOffset()));
    fences.put(partition, raised);
    return raised;
  }

  TakeResult settle(OutboxRow intent, Supplier<TakeResult> work) {
    if (!isPending(intent)) {
      return TakeResult.DONE;
    }
    TakeResult result = work.get();
    if (result == TakeResult.DONE) {
      markSent(intent);
    }
    return result;
  }

  void plantSale(long skuId, long saleNo, SkuState state) {
    Sku was = sku(skuId);
    skus.put(
        skuId,
        was.with(
            was.settings(),
            state,
            state,
            new Membership(saleNo, was.membership().saleId(), false, was.membership().taken(), 0)));
  }

  void plantHeld(BucketId id, long units) {
    Bucket bucket = bucket(id);
    write(id, bucket.counted(bucket.held() + units, bucket.sold()));
  }

  boolean holds(Fence known, Fence now) {
    return now.term() == known.term() && !now.isBehind(known);
  }

  /**
   * Copies the current state; the returned action restores it, any number of times. Ids go on, so
   * that what was meant for a row that is lost does not meet another one.
   */
  Runnable backup() {
    InMemoryTables kept = new InMemoryTables();
    kept.becomes(this);
    return () -> becomes(kept);
  }

  private void becomes(InMemoryTables other) {
    replace(fences, other.fences);
    replace(skus, other.skus);
    replace(sales, other.sales);
    replace(buckets, other.buckets);
    replace(orders, other.orders);
    replace(outbox, other.outbox);
    replace(requests, other.requests);
    replace(restocks, other.restocks);
    replace(parts, other.parts);
    parts.replaceAll((key, list) -> new ArrayList<>(list));
    replace(reports, other.reports);
    gone.replace(other.gone);
    replace(readings, other.readings);
    replace(archives, other.archives);
    replace(marks, other.marks);
    replace(forgets, other.forgets);
    earlier.becomes(other.earlier);
    replace(deleted, other.deleted);
    rows.clear();
    rows.addAll(other.rows);
    corrections.clear();
    corrections.addAll(other.corrections);
    rowKeys.clear();
    rowKeys.addAll(other.rowKeys);
    folded = other.folded;
    lastId = Math.max(lastId, other.lastId);
  }

  private static <K, V> void replace(Map<K, V> mine, Map<K, V> other) {
    mine.clear();
    mine.putAll(other);
  }

  BucketRow bucketRow(BucketId id) {
    Bucket bucket = bucket(id);
    Sku sku = sku(id.skuId());
    return new BucketRow(
        id,
        bucket.partition(),
        bucket.allotted(),
        bucket.held(),
        bucket.sold(),
        bucket.epoch(),
        bucket.version(),
        gone.ended.contains(id) && sku.state() != SkuState.ARCHIVED ? SkuState.ENDED : sku.state(),
        sku.settings(),
        sku.saleNo(),
        bucket.base(),
        bucket.sinceEpoch(),
        bucket.withdrawn(),
        InMemoryMoves.skuTotal(this, sku),
        InMemoryMoves.sharesCarts(this, sku));
  }

  Bucket bucket(BucketId id) {
    return Objects.requireNonNull(buckets.get(id), () -> "no bucket " + id);
  }

  /** Where a bucket is; in no partition if it was deleted. */
  int partitionOf(BucketId id) {
    Bucket bucket = buckets.get(id);
    return bucket == null ? -2 : bucket.partition();
  }

  Sku sku(long skuId) {
    return Objects.requireNonNull(skus.get(skuId), () -> "no SKU " + skuId);
  }

  List<BucketId> bucketsOf(long skuId) {
    var onwards = buckets.tailMap(new BucketId(skuId, 0)).keySet().stream();
    return onwards.takeWhile(id -> id.skuId() == skuId).toList();
  }

  /** Enforces the CHECK constraints. */
  void check(Bucket bucket) {
    if (bucket.held() < 0 || bucket.sold() < 0 || bucket.free() < 0) {
      throw refused("Expected 0 <= held, sold and held + sold <= allotted, but got " + bucket);
    }
  }

  void write(BucketId id, Bucket bucket) {
    check(bucket);
    buckets.put(id, bucket);
  }

  Map<OrderToken, Order> found(Collection<OrderToken> tokens) {
    Map<OrderToken, Order> found = new HashMap<>();
    for (OrderToken token : tokens) {
      Order order = orders.get(token);
      if (order != null) {
        found.put(token, order);
      }
    }
    return found;
  }

  /** Enforces the unique key; an order may be refunded in several parts. */
  void append(StockTxn row) {
    if (row.action() != StockTxn.Action.REFUND
        && !rowKeys.add(row.token() + " " + row.bucket().skuId() + " " + row.action())) {
      throw refused("Expected one row per token, SKU and action, but got " + row + " twice");
    }
    rows.add(row);
  }

  /** Deletes a SKU, which has no order. */
  void delete(Sku sku) {
    long skuId = sku.skuId();
    List<BucketId> ids = bucketsOf(skuId);
    deleted.put(
        skuId,
        new DeletedSku(
            sku.saleNo(),
            ids.stream().mapToLong(id -> bucket(id).epoch()).max().orElseThrow(),
            ids.stream().mapToLong(id -> bucket(id).version()).max().orElseThrow(),
            new Shape(sku.buckets(), sku.mode())));
    for (BucketId id : ids) {
      if (bucket(id).partition() != Placement.DIRECT) {
        gone.left.add(new PlacedBucket(bucket(id).partition(), id));
      }
      gone.ended.remove(id);
      buckets.remove(id);
    }
    List<StockTxn> others = rows.stream().filter(row -> row.bucket().skuId() != skuId).toList();
    rows.clear();
    rowKeys.clear();
    others.forEach(this::append);
    restocks.keySet().removeIf(key -> key.skuId() == skuId);
    parts.keySet().removeIf(key -> key.skuId() == skuId);
    archives.remove(skuId);
    earlier.delete(skuId);
    skus.remove(skuId);
  }

  /** Puts one row for each bucket in the place of the next rows of moves. */
  int foldMoves(long skuId, int rowsMax) {
    List<StockTxn> page =
        rows.stream()
            .filter(row -> row.bucket().skuId() == skuId && row.token().matches("!move-\\d.*"))
            .limit(rowsMax)
            .toList();
    rows.removeAll(page);
    for (StockTxn moved : page) {
      String token = RestockPlan.movesToken(moved.bucket().bucket());
      long before =
          rows.stream()
              .filter(row -> row.bucket().equals(moved.bucket()) && row.token().equals(token))
              .mapToLong(StockTxn::qty)
              .sum();
      rows.removeIf(row -> row.bucket().equals(moved.bucket()) && row.token().equals(token));
      rows.add(StockTxn.restock(token, moved.bucket(), before + moved.qty()));
    }
    folded += page.size();
    return page.size();
  }

  /** An order goes on as another one, under another token, with all rows of its units. */
  void replace(Order order, Order by) {
    orders.remove(order.token());
    orders.put(by.token(), by);
    String token = order.token().value();
    List<StockTxn> before = List.copyOf(rows);
    rows.clear();
    rowKeys.clear();
    for (StockTxn row : before) {
      append(
          row.token().contains(token)
              ? new StockTxn(
                  row.token().replace(token, by.token().value()),
                  row.bucket(),
                  row.qty(),
                  row.action())
              : row);
    }
  }

  /** All that is kept, as text. */
  Map<String, List<String>> everyRow() {
    return Map.of(
        "order", texts(orders.values()),
        "row", texts(rows),
        "outbox", texts(outbox.values()),
        "forget", texts(forgets.entrySet()));
  }

  private static List<String> texts(Collection<?> all) {
    return all.stream().map(Object::toString).toList();
  }

  void leave(OutboxDraft draft, long nowMs) {
    if (draft.isDelivered()) {
      OutboxRow row = row(nextId(), draft, nowMs);
      outbox.put(row.id(), new StoredOutbox(row, false));
    }
  }

  private static OutboxRow row(long id, OutboxDraft draft, long nowMs) {
    return new OutboxRow(
        id, draft.partition(), draft.kind(), draft.eventType(), draft.payload(), nowMs);
  }

  /** Keeps the newest first. */
  void correct(Correction made, long nowMs) {
    corrections.add(0, new Correction(made.what(), made.before(), made.after(), made.why(), nowMs));
  }

  long nextId() {
    return ++lastId;
  }

  private static UnprocessableException refused(String why) {
    return new UnprocessableException(why, new IllegalArgumentException(why));
  }

  boolean isPending(OutboxRow row) {
    StoredOutbox stored = outbox.get(row.id());
    return stored != null && stored.is(row) && !stored.sent();
  }

  void markSent(OutboxRow row) {
    outbox.computeIfPresent(
        row.id(), (id, stored) -> stored.is(row) ? new StoredOutbox(stored.row(), true) : stored);
  }
}
