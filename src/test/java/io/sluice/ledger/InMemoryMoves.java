package io.sluice.ledger;

import io.sluice.ledger.InMemoryTables.StoredRequest;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.Move.Part;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** Units that move between buckets, on the tables of an {@link InMemoryLedger}. */
final class InMemoryMoves {
  /** A request that is served is in no partition. */
  private static final int SERVED = -1;

  private final InMemoryTables tables;

  InMemoryMoves(InMemoryTables tables) {
    this.tables = tables;
  }

  static OptionalLong skuTotal(InMemoryTables tables, Sku sku) {
    return sku.buckets() == 1
        ? OptionalLong.empty()
        : OptionalLong.of(
            tables.bucketsOf(sku.skuId()).stream()
                .map(tables::bucket)
                .mapToLong(bucket -> bucket.allotted() - bucket.base() + bucket.withdrawn())
                .sum());
  }

  Set<BucketId> borrow(List<Borrow> borrows, long nowMs) {
    Set<BucketId> withdrawn = new HashSet<>();
    for (Borrow borrow : borrows) {
      BucketId target = borrow.to().id();
      Optional<StoredRequest> open =
          tables.requests.values().stream()
              .filter(stored -> stored.answer() == null)
              .filter(
                  stored ->
                      stored
                          .request()
                          .borrow()
                          .filter(asked -> asked.to().id().equals(target))
                          .isPresent())
              .findFirst();
      if (open.isEmpty()) {
        long id = tables.nextId();
        OwnerRequest request =
            new OwnerRequest(
                id,
                borrow.from().partition(),
                RequestKind.BORROW,
                Optional.of(borrow.from().id()),
                Optional.of(borrow));
        tables.requests.put(id, new StoredRequest(request, null, nowMs));
      } else if (isOpen(open.get())
          && nowMs - open.get().createdAtMs() >= SkuLedger.UNSERVED_MAX.toMillis()) {
        answer(open.get().request().id(), OutboxPayload.refused("withdrawn"));
        withdrawn.add(target);
      }
    }
    return withdrawn;
  }

  private static boolean isOpen(StoredRequest stored) {
    return stored.answer() == null && !isServed(stored);
  }

  static boolean isServed(StoredRequest stored) {
    return stored.request().partition() == SERVED;
  }

  private void answer(long id, String answer) {
    tables.requests.computeIfPresent(id, (same, stored) -> stored.answered(answer));
  }

  LendResult lend(int partition, Move move, long nowMs) {
    Sku sku = tables.skus.get(move.from().skuId());
    if (sku == null
        || !SkuRules.maySell(sku, move)
        || tables.bucket(move.from()).partition() != partition) {
      return LendResult.NOTHING;
    }
    List<Part> open = move.parts().stream().filter(part -> serve(part.requestId())).toList();
    if (open.isEmpty()) {
      return LendResult.NOTHING;
    }
    tables.leave(OutboxPayload.move(partition, new Move(move.from(), move.saleNo(), open)), nowMs);
    return LendResult.INTENDED;
  }

  private boolean serve(long requestId) {
    StoredRequest stored = tables.requests.get(requestId);
    if (stored == null || !isOpen(stored)) {
      return false;
    }
    OwnerRequest was = stored.request();
    tables.requests.put(
        requestId,
        new StoredRequest(
            new OwnerRequest(was.id(), SERVED, was.kind(), was.bucket(), was.borrow()),
            null,
            stored.createdAtMs()));
    return true;
  }

  TakeResult finish(OutboxRow intent, long epoch, long version, InMemorySkus skus, long nowMs) {
    Move move = OutboxPayload.moveOf(intent.payload());
    InMemoryTables.Bucket from = tables.bucket(move.from());
    if (from.epoch() != epoch || from.version() != version) {
      return TakeResult.BUCKET_CHANGED;
    }
    if (!SkuRules.mayMove(tables.sku(move.from().skuId()), move) || from.free() < move.units()) {
      skus.write(tables.sku(move.from().skuId()));
      return refused(move);
    }
    Map<Integer, Long> changes = new TreeMap<>();
    move.parts().forEach(part -> changes.merge(part.bucket(), part.units(), Long::sum));
    changes.merge(move.from().bucket(), -move.units(), Long::sum);
    changes.forEach(
        (bucket, units) -> {
          BucketId id = new BucketId(move.from().skuId(), bucket);
          tables.write(id, tables.bucket(id).allotted(units));
          tables.append(StockTxn.restock(RestockPlan.moveToken(intent.id(), bucket), id, units));
          int partition = tables.bucket(id).partition();
          tables.leave(
              units > 0
                  ? OutboxPayload.received(partition, id)
                  : OutboxPayload.ceiling(partition, id),
              nowMs);
        });
    move.parts().forEach(part -> answer(part.requestId(), OutboxPayload.moved(part.units())));
    return TakeResult.DONE;
  }

  TakeResult refuse(OutboxRow intent, long epoch, long version) {
    Move move = OutboxPayload.moveOf(intent.payload());
    InMemoryTables.Bucket from = tables.bucket(move.from());
    return from.epoch() == epoch && from.version() == version
        ? refused(move)
        : TakeResult.BUCKET_CHANGED;
  }

  private TakeResult refused(Move move) {
    move.parts().forEach(part -> answer(part.requestId(), OutboxPayload.refused("too few units")));
    return TakeResult.DONE;
  }

  /** Whether orders may have lines of this SKU and of others. */
  static boolean sharesCarts(InMemoryTables tables, Sku sku) {
    String saleId = sku.membership().saleId();
    Sale sale = saleId == null ? null : tables.sales.get(saleId);
    return sale != null && sale.carts();
  }
}
