package io.sluice.ledger;

import io.sluice.ledger.InMemoryTables.DeletedSku;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.DeleteResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.ledger.rules.SkuRules.Found;
import io.sluice.ledger.rules.SkuRules.Stock;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Placement;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The operations of operators and alarms on the tables of an {@link InMemoryLedger}. */
final class InMemorySkus {
  private final InMemoryTables tables;
  private final int partitions;
  private final InstantSource clock;
  private final InMemoryRequests requests;

  InMemorySkus(InMemoryTables tables, int partitions, InstantSource clock) {
    this.tables = tables;
    this.requests = new InMemoryRequests(tables, clock);
    this.partitions = partitions;
    this.clock = clock;
  }

  PutResult put(NewSku wanted) {
    Optional<Sku> was = Optional.ofNullable(tables.skus.get(wanted.skuId()));
    Found found = new Found(was, stock(wanted.skuId()), tables.shapes().get(wanted.skuId()));
    PutResult result = SkuRules.put(found, wanted, partitions, clock.millis());
    if (result instanceof PutResult.Done done && was.isEmpty()) {
      Sku created = insert(done.sku());
      tables.bucketsOf(wanted.skuId()).forEach(this::ceiling);
      return new PutResult.Done(created, true);
    } else if (result instanceof PutResult.Done done
        && (!done.sku().equals(was.get()) || done.restock() != null)) {
      write(done.sku());
    }
    return result;
  }

  private Stock stock(long skuId) {
    List<InMemoryTables.Bucket> buckets =
        tables.bucketsOf(skuId).stream().map(tables::bucket).toList();
    return new Stock(
        buckets.stream()
            .mapToLong(each -> each.held() + each.sold() - each.base() + each.withdrawn())
            .sum(),
        buckets.stream().mapToLong(InMemoryTables.Bucket::version).sum(),
        InMemoryRestocks.working(tables, skuId));
  }

  Sku insert(Sku wanted) {
    DeletedSku before = tables.deleted.get(wanted.skuId());
    Sku sku = before == null ? wanted : SkuRules.behind(before.saleNo(), wanted);
    tables.skus.put(sku.skuId(), sku);
    long[] allotted = RestockPlan.spread(sku.totalStock(), sku.buckets());
    for (int i = 0; i < sku.buckets(); i++) {
      BucketId id = new BucketId(sku.skuId(), i);
      int partition = sku.placed(i).partition();
      tables.write(
          id,
          InMemoryTables.Bucket.of(
              partition, allotted[i], before == null ? DeletedSku.NONE : before));
      tables.append(
          StockTxn.restock(RestockPlan.token(RestockPlan.INITIAL, i, 1), id, allotted[i]));
      if (partition != Placement.DIRECT) {
        requests.first(RequestKind.LOAD, id);
      }
    }
    return sku;
  }

  DeleteResult delete(long skuId) {
    Sku sku = tables.skus.get(skuId);
    if (sku == null) {
      return new DeleteResult.Unknown();
    }
    if (hasOrders(skuId)) {
      return new DeleteResult.HasOrders();
    }
    if (!sku.state().isEnded()) {
      return new DeleteResult.NotEnded();
    }
    tables.delete(sku);
    return new DeleteResult.Done();
  }

  boolean hasOrders(long skuId) {
    return tables.orders.keySet().stream().anyMatch(token -> token.skuId() == skuId);
  }

  /** Puts a SKU that has ended into its next sale. */
  void again(Sku sku) {
    tables.skus.put(sku.skuId(), sku);
    long[] shares = RestockPlan.spread(sku.stockNow(), sku.buckets());
    for (BucketId id : tables.bucketsOf(sku.skuId())) {
      InMemoryTables.Bucket was = tables.bucket(id);
      InMemoryTables.Bucket now =
          was.again(sku.placed(id.bucket()).partition(), shares[id.bucket()]);
      tables.gone.ended.remove(id);
      if (now.partition() != was.partition()) {
        tables.gone.left.add(new PlacedBucket(was.partition(), id));
      }
      tables.write(id, now);
      String token = RestockPlan.token(RestockPlan.saleId(sku.saleNo()), id.bucket(), 1);
      tables.append(StockTxn.restock(token, id, now.allotted() - was.allotted()));
      if (now.partition() != Placement.DIRECT) {
        requests.request(RequestKind.LOAD, id);
      }
    }
  }

  ChangeResult change(long skuId, StateChange change, IfMatch ifMatch) {
    Sku was = tables.skus.get(skuId);
    if (was == null) {
      return new ChangeResult.Unknown();
    }
    if (!ifMatch.isMet(Optional.of(was.tag()))) {
      return new ChangeResult.Moved();
    }
    if (SkuRules.barredByFreeze(was, change)) {
      return new ChangeResult.IsFrozen();
    }
    if (SkuRules.barredBySale(was, change, clock.millis())) {
      return new ChangeResult.InSale(was.membership().saleId());
    }
    if (was.state().isEnding()) {
      return change == StateChange.END ? new ChangeResult.Done(was) : new ChangeResult.IsEnding();
    }
    if (change == StateChange.END && InMemoryRestocks.isUnderWay(tables, skuId)) {
      return new ChangeResult.IsRestocking();
    }
    Sku changed = SkuRules.change(was, change, clock.millis());
    return new ChangeResult.Done(changed.equals(was) ? was : write(changed));
  }

  void endClosed(long skuId, long closedForMs) {
    Sku was = tables.skus.get(skuId);
    if (was != null
        && !was.membership().isInSale()
        && was.state().isClosedFor(closedForMs, clock.millis(), was.settings().closesAtMs())) {
      change(skuId, StateChange.END, IfMatch.NOTHING);
    }
  }

  void raiseEpoch(BucketId id, long epochSeen) {
    long booked =
        tables.orders.values().stream()
            .filter(order -> order.token().bucketId().equals(id))
            .filter(order -> order.status() != OrderStatus.REJECTED)
            .mapToLong(Order::epoch)
            .max()
            .orElse(0);
    InMemoryTables.Bucket raised = tables.bucket(id).nextEpoch(Math.max(epochSeen, booked));
    tables.write(id, raised);
    Sku sku = tables.sku(id.skuId());
    if (sku.state() == SkuState.ENDING && raised.held() == 0) {
      tables.gone.ended.add(id);
      if (tables.gone.ended.containsAll(tables.bucketsOf(id.skuId()))) {
        tables.skus.put(id.skuId(), SkuRules.ended(sku));
      }
    }
  }

  void freeze(long skuId, String why) {
    Sku was = tables.skus.get(skuId);
    boolean isFrozen =
        was != null && was.state() == SkuState.FROZEN && !was.membership().frozenBySale();
    if (was != null && !isFrozen && !was.state().isEnded()) {
      write(SkuRules.change(was, StateChange.FREEZE, clock.millis()));
      int partition = tables.bucket(new BucketId(skuId, 0)).partition();
      leave(OutboxPayload.frozen(partition, skuId, was.membership().saleId(), why, clock.millis()));
    }
  }

  void allot(BucketId id, long units, String token) {
    tables.write(id, tables.bucket(id).allotted(units));
    tables.append(StockTxn.restock(token, id, units));
    Sku sku = tables.sku(id.skuId());
    tables.skus.put(id.skuId(), sku.withTotal(sku.totalStock() + units));
    ceiling(id);
  }

  Sku write(Sku sku) {
    tables.skus.put(sku.skuId(), sku);
    for (BucketId id : tables.bucketsOf(sku.skuId())) {
      tables.write(id, tables.bucket(id).nextVersion());
      ceiling(id);
    }
    return sku;
  }

  private void ceiling(BucketId id) {
    leave(OutboxPayload.ceiling(tables.bucket(id).partition(), id));
  }

  private void leave(OutboxDraft draft) {
    tables.leave(draft, clock.millis());
  }
}
