package io.sluice.ledger;

import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Audit.TxnSums;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.Ledger.InstanceSettings;
import io.sluice.ledger.Ledger.StillBucket;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.IfMatch;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The ledger without a database: the same decisions on plain maps. Single-threaded; every Future is
 * complete when it is returned, and the clock moves only when a test moves it.
 */
public final class InMemoryLedger extends InMemoryOutbox {
  private final InMemoryBatches batches;
  private final InMemorySkus skus;
  private final InMemoryRestocks restocks;
  private final InMemorySales sales;
  private final InMemoryDirect direct;
  private final InMemoryHistory history;

  public InMemoryLedger(int partitions, InstantSource clock) {
    super(clock);
    this.skus = new InMemorySkus(tables, partitions, clock);
    this.restocks = new InMemoryRestocks(tables, skus, clock);
    this.sales = new InMemorySales(tables, skus, this, partitions, clock);
    this.batches = new InMemoryBatches(tables, clock);
    this.direct = new InMemoryDirect(tables, batches, skus, clock);
    this.history = new InMemoryHistory(tables, sales);
  }

  public SaleLedger sales() {
    return sales;
  }

  /** Its SKUs that sell in the ledger alone. */
  public DirectLedger direct() {
    return direct;
  }

  /** What happened to its orders. */
  History history() {
    return history;
  }

  /** All that it keeps, as text, by table. */
  Map<String, List<String>> everyRow() {
    return tables.everyRow();
  }

  private static <T> Future<T> call(Supplier<T> work) {
    try {
      return Future.succeededFuture(work.get());
    } catch (UnprocessableException refused) {
      return Future.failedFuture(refused);
    }
  }

  // ---- ownership

  @Override
  public Future<Fence> takeOver(int partition, long seen) {
    return call(() -> tables.raise(partition, seen, Optional.empty(), clock.millis()));
  }

  @Override
  public Future<Fence> reset(int partition, long nextOffset) {
    return call(() -> tables.raise(partition, 0, Optional.of(nextOffset), clock.millis()));
  }

  @Override
  public Future<Map<Integer, Fence>> fences() {
    return Future.succeededFuture(Map.copyOf(tables.fences));
  }

  // ---- orders

  @Override
  public Future<List<Result>> apply(List<Batch> round) {
    return call(() -> batches.apply(round, this::fence));
  }

  @Override
  public Future<Booked> book(Supplier<List<Grant>> grants) {
    return call(() -> batches.book(grants.get()));
  }

  /** Only the replay can refuse commands here; there is no database that could refuse the rows. */
  @Override
  public Future<Void> rehearse(Step step, List<Command> commands) {
    return call(
        () -> {
          batches.rehearse(step, commands);
          return null;
        });
  }

  @Override
  public Future<Long> nowMs() {
    return Future.succeededFuture(clock.millis());
  }

  @Override
  public Future<Boolean> raise(int level) {
    return Future.succeededFuture(true);
  }

  @Override
  public Future<InstanceSettings> longestSettings() {
    return Future.succeededFuture(tables.longest);
  }

  @Override
  public Future<DuePage> due(int partition, DuePlace after, long dueMs, int limit) {
    return call(() -> queries.due(partition, after, dueMs, limit));
  }

  @Override
  public Future<Map<OrderToken, Order>> orders(Collection<OrderToken> tokens) {
    return call(() -> queries.orders(tokens));
  }

  @Override
  public Future<Integer> purgeRequests(int partition, long beforeMs, int limit) {
    return call(() -> queries.purgeRequests(partition, beforeMs, limit));
  }

  // ---- buckets

  @Override
  public Future<List<BucketRow>> buckets(int partition, Optional<BucketId> after, int limit) {
    return call(() -> queries.buckets(partition, after, limit));
  }

  @Override
  public Future<Optional<BucketRow>> bucket(BucketId id) {
    return call(
        () ->
            tables.buckets.containsKey(id) ? Optional.of(tables.bucketRow(id)) : Optional.empty());
  }

  @Override
  public Future<Optional<BucketRow>> raiseEpoch(Fence fence, BucketId id, long epochSeen) {
    if (!holds(fence)) {
      return Future.succeededFuture(Optional.empty());
    }
    skus.raiseEpoch(id, epochSeen);
    return bucket(id);
  }

  @Override
  public Future<List<BucketId>> goneBuckets(int partition, Optional<BucketId> after, int limit) {
    return call(() -> tables.gone.page(partition, after, limit, id -> tables.partitionOf(id)));
  }

  @Override
  public Future<List<BucketId>> ofSameSale(
      int partition, long skuId, Optional<BucketId> after, int limit) {
    return call(() -> queries.ofSameSale(partition, skuId, after, limit));
  }

  @Override
  public Future<Void> endClosed(long skuId, long closedForMs) {
    skus.endClosed(skuId, closedForMs);
    return Future.succeededFuture();
  }

  @Override
  public Future<List<LoadRow>> loadRows(BucketRow bucket, Optional<LoadRow> after, int limit) {
    return call(() -> queries.loadRows(bucket, after, limit));
  }

  @Override
  public Future<TakeResult> finishTake(Fence fence, OutboxRow intent, long epoch, long version) {
    return answered(fence, intent, () -> restocks.finishTake(intent, epoch, version));
  }

  @Override
  public Future<TakeResult> refuseTake(Fence fence, OutboxRow intent, long epoch, long version) {
    return answered(fence, intent, () -> restocks.refuseTake(intent, epoch, version));
  }

  private Future<TakeResult> answered(Fence fence, OutboxRow intent, Supplier<TakeResult> work) {
    return call(() -> holds(fence) ? tables.settle(intent, work) : TakeResult.FENCE_LOST);
  }

  @Override
  public Future<Void> freezeSku(long skuId, String why) {
    skus.freeze(skuId, why);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> correct(Correction correction) {
    tables.correct(correction, clock.millis());
    return Future.succeededFuture();
  }

  @Override
  public Future<List<Correction>> corrections(int limit) {
    return call(() -> tables.corrections.stream().limit(limit).toList());
  }

  /** Puts a SKU into a sale. */
  public void plantSale(long skuId, long saleNo, SkuState state) {
    tables.plantSale(skuId, saleNo, state);
  }

  /** Moves units between buckets of a SKU outside of any booking, as only a defect could. */
  public void plantMove(BucketId from, BucketId to, long units) {
    String move = RestockPlan.moveId(to.bucket(), tables.nextId());
    skus.allot(from, -units, RestockPlan.token(move, from.bucket(), 1));
    skus.allot(to, units, RestockPlan.token(move, to.bucket(), 1));
  }

  /** Lets no booking gather units, as only a defect could. */
  public void plantNoGathering() {
    batches.plantNoGathering();
  }

  /** Changes a counter without a row, as only a defect could. */
  public void plantHeld(BucketId id, long units) {
    tables.plantHeld(id, units);
  }

  @Override
  public <T> Future<Optional<T>> compare(
      Fence fence, BucketId id, Function<StillBucket, Future<T>> look) {
    return holds(fence)
        ? look.apply(queries.still(id)).map(Optional::of)
        : Future.succeededFuture(Optional.empty());
  }

  @Override
  public Future<Void> reported(int partition, String report) {
    tables.reports.put(partition, report);
    return Future.succeededFuture();
  }

  // ---- operators

  @Override
  public Future<PutResult> put(NewSku sku) {
    return call(() -> restocks.put(skus.put(sku)));
  }

  public Future<ChangeResult> change(long skuId, StateChange change) {
    return change(skuId, change, IfMatch.NOTHING);
  }

  public Future<RestockResult> restock(long skuId, String restockId, long qty) {
    return restock(skuId, restockId, qty, IfMatch.NOTHING);
  }

  @Override
  public Future<ChangeResult> change(long skuId, StateChange change, IfMatch ifMatch) {
    return call(
        () ->
            change == StateChange.FOLLOW
                ? sales.follow(skuId, ifMatch)
                : skus.change(skuId, change, ifMatch));
  }

  @Override
  public Future<DeleteResult> delete(long skuId) {
    return call(() -> skus.delete(skuId));
  }

  @Override
  public Future<RestockResult> restock(long skuId, String restockId, long qty, IfMatch ifMatch) {
    return call(() -> restocks.restock(skuId, restockId, qty, ifMatch));
  }

  @Override
  public Future<Map<Long, Sku>> skus(Collection<Long> skuIds) {
    return Future.succeededFuture(queries.skus(skuIds));
  }

  @Override
  public Future<List<Sku>> skus(long afterSkuId, int limit) {
    return call(() -> queries.skus(afterSkuId, limit));
  }

  @Override
  public Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds) {
    return call(() -> queries.bucketsOf(skuIds));
  }

  @Override
  public Future<Optional<Audit>> audit(long skuId, int rowsMax) {
    return queries.txns(skuId) > rowsMax ? Future.succeededFuture(Optional.empty()) : audit(skuId);
  }

  @Override
  public Future<Optional<Mark>> mark(long skuId) {
    return call(() -> queries.mark(skuId));
  }

  @Override
  public Future<TxnSums> sum(Mark mark, TxnSums before, int rowsMax) {
    return call(() -> queries.sum(mark, before, rowsMax));
  }

  @Override
  public Future<Optional<Audit>> audit(long skuId) {
    return sku(skuId).map(sku -> sku.map(known -> queries.audit(skuId)));
  }

  @Override
  public Future<Long> request(RequestKind kind, BucketId bucket) {
    return call(() -> requests.request(kind, bucket));
  }

  @Override
  public Future<Long> requestReconcile(int partition) {
    return call(() -> requests.request(RequestKind.RECONCILE, partition, Optional.empty()));
  }

  @Override
  public Future<Map<Integer, String>> reports() {
    return Future.succeededFuture(Map.copyOf(tables.reports));
  }
}
