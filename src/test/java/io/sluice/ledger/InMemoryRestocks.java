package io.sluice.ledger;

import io.sluice.ledger.InMemoryTables.RestockKey;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.RestockPlan.Next;
import io.sluice.ledger.rules.RestockPlan.Part;
import io.sluice.ledger.rules.RestockPlan.PartStatus;
import io.sluice.ledger.rules.RestockPlan.Restock;
import io.sluice.ledger.rules.RestockPlan.Restock.Status;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sku;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;

/** Restocks and take-backs on the tables of an {@link InMemoryLedger}. */
final class InMemoryRestocks {
  private final InMemoryTables tables;
  private final InMemorySkus skus;
  private final InstantSource clock;

  InMemoryRestocks(InMemoryTables tables, InMemorySkus skus, InstantSource clock) {
    this.tables = tables;
    this.skus = skus;
    this.clock = clock;
  }

  static boolean isUnderWay(InMemoryTables tables, long skuId) {
    return working(tables, skuId).isPresent();
  }

  /** The id of a take-back that is under way. */
  static Optional<String> working(InMemoryTables tables, long skuId) {
    return tables.restocks.entrySet().stream()
        .filter(
            restock ->
                restock.getKey().skuId() == skuId && restock.getValue().status() == Status.WORKING)
        .map(restock -> restock.getKey().restockId())
        .findFirst();
  }

  /** The restock that a PUT of another total is, if the PUT was one. */
  PutResult put(PutResult result) {
    if (result instanceof PutResult.Done done && done.restock() != null) {
      Sku sku = done.sku();
      String id = done.restock().restockId();
      RestockKey key = new RestockKey(sku.skuId(), RestockPlan.idOf(sku.saleNo(), id));
      carryOut(key, sku, done.restock().qty());
      return new PutResult.Done(tables.sku(sku.skuId()), false, done.changed(), done.restock());
    }
    return result;
  }

  RestockResult restock(long skuId, String restockId, long qty, IfMatch ifMatch) {
    Sku sku = tables.skus.get(skuId);
    if (sku == null) {
      return new RestockResult.Unknown();
    }
    RestockKey key = new RestockKey(skuId, RestockPlan.idOf(sku.saleNo(), restockId));
    Restock known = tables.restocks.get(key);
    if (known != null) {
      return answer(known, qty, sku);
    }
    if (!ifMatch.isMet(Optional.of(sku.tag()))) {
      return new RestockResult.Moved();
    }
    if (SkuRules.isEnding(sku)) {
      return new RestockResult.IsEnding();
    }
    if (qty > 0 && sku.stockNow() + qty > Limits.TOTAL_STOCK_MAX) {
      return new RestockResult.TooMuch(sku.stockNow());
    }
    return carryOut(key, sku, qty);
  }

  private RestockResult carryOut(RestockKey key, Sku sku, long qty) {
    long skuId = sku.skuId();
    if (qty < 0 && sku.isDirect()) {
      return takeNow(key, sku, -qty);
    }
    if (qty < 0) {
      tables.restocks.put(key, new Restock(qty, Status.WORKING, 0, 0));
      return answer(goOn(key), qty, tables.sku(skuId));
    }
    tables.restocks.put(key, new Restock(qty, Status.DONE, 0, 0));
    long[] parts = RestockPlan.spread(qty, sku.buckets());
    for (int i = 0; i < parts.length; i++) {
      skus.allot(new BucketId(skuId, i), parts[i], RestockPlan.token(key.restockId(), i, 1));
    }
    return new RestockResult.Done(tables.sku(skuId));
  }

  private RestockResult takeNow(RestockKey key, Sku sku, long units) {
    long[] free =
        tables.bucketsOf(sku.skuId()).stream().mapToLong(id -> tables.bucket(id).free()).toArray();
    if (RestockPlan.next(units, free, List.of()) instanceof Next.Round round) {
      tables.restocks.put(key, new Restock(-units, Status.DONE, 0, 0));
      round
          .units()
          .forEach(
              (bucket, part) ->
                  skus.allot(
                      new BucketId(sku.skuId(), bucket),
                      -part,
                      RestockPlan.token(key.restockId(), bucket, 1)));
      return new RestockResult.Done(tables.sku(sku.skuId()));
    }
    long unsold = LongStream.of(free).sum();
    tables.restocks.put(key, new Restock(-units, Status.REFUSED, 0, unsold));
    return new RestockResult.Refused(unsold);
  }

  private static RestockResult answer(Restock known, long qty, Sku sku) {
    if (known.qty() != qty) {
      return new RestockResult.Mismatch(known.qty());
    }
    return switch (known.status()) {
      case WORKING -> new RestockResult.Working();
      case DONE -> new RestockResult.Done(sku);
      case REFUSED -> new RestockResult.Refused(known.unsold());
    };
  }

  TakeResult finishTake(OutboxRow intent, long epoch, long version) {
    if (OutboxPayload.isMove(intent)) {
      return new InMemoryMoves(tables).finish(intent, epoch, version, skus, clock.millis());
    }
    OutboxPayload.Take take = OutboxPayload.takeOf(intent.payload());
    InMemoryTables.Bucket bucket = tables.bucket(take.bucket());
    if (bucket.epoch() != epoch || bucket.version() != version) {
      return TakeResult.BUCKET_CHANGED;
    }
    if (bucket.free() < take.units()) {
      skus.write(tables.sku(take.bucket().skuId()));
      return endPart(take, PartStatus.REFUSED);
    }
    skus.allot(take.bucket(), -take.units(), take.id());
    return endPart(take, PartStatus.TAKEN);
  }

  TakeResult refuseTake(OutboxRow intent, long epoch, long version) {
    if (OutboxPayload.isMove(intent)) {
      return new InMemoryMoves(tables).refuse(intent, epoch, version);
    }
    OutboxPayload.Take take = OutboxPayload.takeOf(intent.payload());
    InMemoryTables.Bucket bucket = tables.bucket(take.bucket());
    return bucket.epoch() == epoch && bucket.version() == version
        ? endPart(take, PartStatus.REFUSED)
        : TakeResult.BUCKET_CHANGED;
  }

  private TakeResult endPart(OutboxPayload.Take take, PartStatus status) {
    RestockKey key = new RestockKey(take.bucket().skuId(), take.restockId());
    List<Part> parts = Objects.requireNonNull(tables.parts.get(key));
    parts.replaceAll(
        part ->
            part.bucket() == take.bucket().bucket() && part.round() == take.round()
                ? new Part(part.bucket(), part.round(), part.units(), status)
                : part);
    goOn(key);
    return TakeResult.DONE;
  }

  private Restock goOn(RestockKey key) {
    Restock was = Objects.requireNonNull(tables.restocks.get(key));
    List<Part> parts = tables.parts.computeIfAbsent(key, none -> new ArrayList<>());
    long[] free =
        tables.bucketsOf(key.skuId()).stream().mapToLong(id -> tables.bucket(id).free()).toArray();
    Next next = RestockPlan.next(-was.qty(), free, parts);
    Restock now = was;
    if (next instanceof Next.Complete) {
      tables.skus.put(key.skuId(), RestockPlan.taken(tables.sku(key.skuId()), key.restockId()));
      now = new Restock(was.qty(), Status.DONE, was.rounds(), 0);
      tellTotal(key.skuId());
    } else if (next instanceof Next.Round round) {
      intend(key, round);
      now = new Restock(was.qty(), Status.WORKING, round.round(), 0);
    } else if (next instanceof Next.GiveUp giveUp) {
      undo(key, giveUp.taken());
      tellTotal(key.skuId());
      now = new Restock(was.qty(), Status.REFUSED, was.rounds(), giveUp.unsold());
    }
    tables.restocks.put(key, now);
    return now;
  }

  private void tellTotal(long skuId) {
    if (tables.sku(skuId).buckets() > 1) {
      skus.write(tables.sku(skuId));
    }
  }

  private void intend(RestockKey key, Next.Round round) {
    round
        .units()
        .forEach(
            (bucket, units) -> {
              BucketId id = new BucketId(key.skuId(), bucket);
              Objects.requireNonNull(tables.parts.get(key))
                  .add(new Part(bucket, round.round(), units, PartStatus.PENDING));
              tables.leave(
                  OutboxPayload.take(
                      tables.bucket(id).partition(),
                      new OutboxPayload.Take(id, key.restockId(), round.round(), units)),
                  clock.millis());
            });
  }

  private void undo(RestockKey key, Map<Integer, Long> taken) {
    taken.forEach(
        (bucket, units) ->
            skus.allot(
                new BucketId(key.skuId(), bucket),
                units,
                RestockPlan.undoToken(key.restockId(), bucket)));
  }
}
