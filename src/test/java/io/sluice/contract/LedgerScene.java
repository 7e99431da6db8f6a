package io.sluice.contract;

import static io.sluice.model.Grants.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Audit;
import io.sluice.ledger.Batches;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Fence;
import io.sluice.ledger.History;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.IfMatch;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.testkit.Placements;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Shorthand for the ledger's contracts, and the audit that must pass after each test. */
abstract class LedgerScene {
  static final SkuSettings SETTINGS = new SkuSettings(300, 0, 0, 0);

  private static final AtomicLong LAST_SKU_ID = new AtomicLong(1_000);
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  private static final int PAGE = 10_000;
  private static final int PATIENCE_S = 30;

  private LedgerUnderTest unit;
  private long firstSkuId;

  @BeforeEach
  void beginScene(LedgerUnderTest ledger) {
    unit = ledger;
    firstSkuId = LAST_SKU_ID.get() + 1;
    for (int partition = 0; partition < unit.partitions(); partition++) {
      for (OutboxKind kind : OutboxKind.values()) {
        get(ledger().sent(outbox(partition, kind)));
      }
    }
  }

  /** P1 and P6: the counters equal the append-only rows, and the allotments add up to the total. */
  @AfterEach
  void shouldStandUpToAnAudit() {
    for (long skuId = firstSkuId; skuId <= LAST_SKU_ID.get(); skuId++) {
      var sku = get(skus().sku(skuId));
      if (sku.isPresent()) {
        Audit audit = audit(skuId);
        assertThat(audit.agrees()).as("%s", audit).isTrue();
        assertThat(audit.available()).isNotNegative();
        assertThat(sku.get().totalStock()).isEqualTo(audit.countersTotal());
      }
    }
  }

  // ---- both sides

  final Ledger ledger() {
    return unit.ledger();
  }

  /** The ledger of an instance that has just started. */
  final Ledger restarted() {
    return unit.restarted().get();
  }

  final SkuLedger skus() {
    return unit.skus();
  }

  final SaleLedger sales() {
    return unit.sales();
  }

  final History history() {
    return unit.history();
  }

  final DirectLedger direct() {
    return unit.direct();
  }

  final int partitions() {
    return unit.partitions();
  }

  static <T> T get(Future<T> future) {
    try {
      return future.await(PATIENCE_S, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      throw new AssertionError("Expected an answer in time", late);
    }
  }

  /** All that the ledger keeps, as text, by table. */
  final Map<String, List<String>> everyRow() {
    return unit.rows().get();
  }

  // ---- SKUs

  final long newSkuId() {
    return LAST_SKU_ID.incrementAndGet();
  }

  final BucketId sku(long stock) {
    return new BucketId(sku(stock, 1).skuId(), 0);
  }

  final Sku sku(long stock, int buckets) {
    return put(new NewSku(newSkuId(), stock, buckets, Sku.Mode.FAST, SETTINGS));
  }

  final Sku put(NewSku wanted) {
    PutResult result = get(skus().put(wanted));
    assertThat(result).isInstanceOf(PutResult.Done.class);
    return ((PutResult.Done) result).sku();
  }

  /** Puts a SKU into a sale, and into a state. */
  final void inSale(long skuId, long saleNo, SkuState state) {
    unit.planted().put(skuId, saleNo, state);
  }

  /** Lets a request become older. */
  final void age(OwnerRequest request, Duration by) {
    unit.aged().age(request.id(), by);
  }

  /** The SKU, which must exist. */
  final Sku known(long skuId) {
    return get(skus().sku(skuId)).orElseThrow();
  }

  final Audit audit(long skuId) {
    return get(skus().audit(skuId)).orElseThrow();
  }

  final SkuLedger.ChangeResult change(long skuId, StateChange change) {
    return get(skus().change(skuId, change, IfMatch.NOTHING));
  }

  final SaleLedger.ChangeResult changeSale(String saleId, StateChange change) {
    return get(sales().change(saleId, change, IfMatch.NOTHING));
  }

  final RestockResult restock(long skuId, String id, long units) {
    return get(skus().restock(skuId, id, units, IfMatch.NOTHING));
  }

  final BucketRow row(BucketId bucket) {
    return get(ledger().bucket(bucket)).orElseThrow();
  }

  // ---- grants

  final Grant grant(BucketId bucket, int number) {
    return grant(bucket, number, 1);
  }

  final Stream<Integer> everyPartition() {
    return IntStream.range(0, partitions()).boxed();
  }

  /** The open requests of this kind about a SKU. */
  final List<OwnerRequest> requests(long skuId, RequestKind kind) {
    return get(ledger().openRequests(everyPartition().toList(), 0, 100_000)).stream()
        .filter(request -> request.kind() == kind)
        .filter(request -> request.bucket().orElseThrow().skuId() == skuId)
        .toList();
  }

  /** The units that each bucket of a SKU may sell. */
  final List<Long> allotments(Sku sku) {
    return get(skus().bucketsOf(sku.skuId())).stream().map(BucketRow::allotted).toList();
  }

  /** Archives the orders of an ended SKU, so many in a step. */
  final void archive(long skuId, int ordersMax) {
    ArchiveResult asked = get(skus().archive(skuId));
    for (int step = 0; !(asked instanceof ArchiveResult.Done) && step < 1_000; step++) {
      get(ledger().archiveNext(ordersMax));
      asked = get(skus().archive(skuId));
    }
    assertThat(asked).isInstanceOf(ArchiveResult.Done.class);
  }

  /** A grant of one unit in a sale of the SKU. */
  final Grant grantOfSale(BucketId bucket, int number, long saleNo, long epoch) {
    OrderToken token = TOKENS.tokenFor(Buyers.of(number), bucket, "sale " + saleNo);
    long grantedAtMs = get(ledger().nowMs()) - 1_000;
    return Grants.of(
        token,
        Buyers.of(number),
        1,
        number,
        epoch,
        grantedAtMs,
        grantedAtMs + 300_000,
        saleNo,
        null);
  }

  final Grant grant(BucketId bucket, int number, int qty) {
    OrderToken token = TOKENS.tokenFor(Buyers.of(number), bucket, null);
    long grantedAtMs = get(ledger().nowMs()) - 1_000;
    return Grants.of(token, Buyers.of(number), qty, number, 1, grantedAtMs, grantedAtMs + 300_000);
  }

  /** As a clock would have it that is so many milliseconds ahead. */
  static Grant shifted(Grant grant, long byMs) {
    return at(grant, grant.grantedAtMs() + byMs, grant.payBeforeMs() + byMs);
  }

  static Grant payBefore(Grant grant, long payBeforeMs) {
    return at(grant, grant.grantedAtMs(), payBeforeMs);
  }

  static Command reserve(Grant grant) {
    return new Command.Reserve(grant, null);
  }

  // ---- owners

  final Fence own(BucketId bucket) {
    return get(ledger().takeOver(Placements.partitionOf(bucket, partitions()), 0));
  }

  /** Applies commands without advancing the log's offset. */
  final Result.Applied apply(BucketId bucket, Command... commands) {
    return applied(get(Batches.apply(ledger(), Step.check(own(bucket)), List.of(commands))));
  }

  /** Applies commands as the next record of the log. */
  final Result.Applied read(BucketId bucket, Command... commands) {
    Fence fence = own(bucket);
    Step step = Step.advance(fence, fence.nextOffset() + 1);
    return applied(get(Batches.apply(ledger(), step, List.of(commands))));
  }

  static Result.Applied applied(Result result) {
    assertThat(result).isInstanceOf(Result.Applied.class);
    return (Result.Applied) result;
  }

  final Order order(OrderToken token) {
    Map<OrderToken, Order> found = get(ledger().orders(List.of(token)));
    assertThat(found).containsOnlyKeys(token);
    return found.get(token);
  }

  // ---- outbox

  final List<OutboxRow> outbox(int partition, OutboxKind kind) {
    return get(ledger().pending(partition, kind, 0, PAGE));
  }

  final List<OutboxRow> outbox(BucketId bucket, OutboxKind kind) {
    return outbox(Placements.partitionOf(bucket, partitions()), kind);
  }

  /** What Redis is still to be told of a SKU: rows of this type, or of all (null). */
  final List<OutboxRow> restocks(long skuId, String type) {
    return everyPartition()
        .flatMap(partition -> outbox(partition, OutboxKind.RESTOCK).stream())
        .filter(row -> type == null || row.eventType().equals(type))
        .filter(row -> OutboxPayload.bucketOf(row.payload()).skuId() == skuId)
        .toList();
  }

  /** The owner's answer to an intent: Redis has given up the units in this epoch. */
  final TakeResult finish(OutboxRow intent, long epoch) {
    BucketId bucket = OutboxPayload.takeOf(intent.payload()).bucket();
    return get(ledger().finishTake(own(bucket), intent, epoch, row(bucket).version()));
  }

  /** Redis had too few. */
  final TakeResult refuse(OutboxRow intent) {
    BucketId bucket = OutboxPayload.takeOf(intent.payload()).bucket();
    BucketRow row = row(bucket);
    return get(ledger().refuseTake(own(bucket), intent, row.epoch(), row.version()));
  }

  /** What owners have still to take from Redis. */
  final List<OutboxRow> takeIntents(Sku sku) {
    return restocks(sku.skuId(), OutboxPayload.TAKE);
  }

  final List<OutboxRow> entries(BucketId bucket, OutboxKind kind) {
    return entries(Placements.partitionOf(bucket, partitions()), kind);
  }

  /** The entries of the rows of a partition, each as a row. */
  final List<OutboxRow> entries(int partition, OutboxKind kind) {
    return outbox(partition, kind).stream()
        .flatMap(
            row ->
                OutboxList.entries(row.payload()).stream()
                    .map(
                        entry ->
                            new OutboxRow(
                                row.id(),
                                row.partition(),
                                kind,
                                row.eventType(),
                                entry,
                                row.createdAtMs())))
        .toList();
  }

  final List<String> events(BucketId bucket) {
    return entries(bucket, OutboxKind.EVENT).stream().map(OutboxRow::eventType).toList();
  }
}
