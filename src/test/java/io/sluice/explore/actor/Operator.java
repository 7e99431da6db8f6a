package io.sluice.explore.actor;

import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Restocks, takes back, freezes and requests rebuilds; each is repeated until it is known to be
 * done.
 */
public final class Operator {
  private static final long PAUSE_US = 400_000;
  private static final int UNITS_MAX = 3;

  private final World world;
  private final SkuLedger skus;
  private final Map<String, Restock> restocks = new TreeMap<>();
  private int restocking;
  private boolean restocksWait;

  /** A SKU in one of its sales. */
  private record Member(long skuId, long saleNo) {}

  /** One that was answered, with the units that it brought. */
  private record Restock(Member member, long qty, long units) {}

  public Operator(World world) {
    this.world = world;
    this.skus = world.storesOf(new Node(World.OPERATOR, world.scheduler(), world.chance())).skus();
  }

  /** The sum of all restocked units of a SKU in this sale. */
  public long restocked(long skuId, long saleNo) {
    Member member = new Member(skuId, saleNo);
    return restocks.values().stream()
        .filter(restock -> restock.member().equals(member))
        .mapToLong(Restock::units)
        .sum();
  }

  /** Lets no restock begin; continues once none is under way, so that each is of one sale. */
  void holdRestocks(Runnable then) {
    restocksWait = true;
    if (restocking == 0) {
      then.run();
    } else {
      later(() -> holdRestocks(then));
    }
  }

  void allowRestocks() {
    restocksWait = false;
  }

  public void restock(String id, Runnable onEnd) {
    if (restocksWait) {
      later(() -> restock(id, onEnd));
      return;
    }
    SplittableRandom draws = world.chance().of(id, "restock", 0);
    long units = 1 + draws.nextLong(UNITS_MAX);
    long qty = draws.nextInt(5) < 2 ? units : -units;
    long skuId = anySku(id);
    Member member = new Member(skuId, Sale.number(world, skuId));
    restocking++;
    restock(
        member,
        id,
        qty,
        () -> {
          restocking--;
          onEnd.run();
        });
  }

  private long anySku(String what) {
    List<Long> all = Sale.skus(world.scenario());
    return all.get(world.chance().of(what, "sku", 0).nextInt(all.size()));
  }

  /** Repeated where the ledger was put back meanwhile: it may have been done before. */
  private void restock(Member member, String id, long qty, Runnable onEnd) {
    boolean wasRestored = world.restored().isOver();
    skus.restock(member.skuId(), id, qty, IfMatch.NOTHING)
        .onComplete(
            answer -> {
              RestockResult result = answer.result();
              boolean isKnown = answer.succeeded() && world.restored().isOver() == wasRestored;
              if (isKnown && !(result instanceof RestockResult.Working)) {
                long units = result instanceof RestockResult.Done ? qty : 0;
                restocks.put(id, new Restock(member, qty, units));
                onEnd.run();
              } else {
                later(() -> restock(member, id, qty, onEnd));
              }
            });
  }

  /** Takes a backup now, and puts the ledger back to it later; then repeats what it has lost. */
  public void restore(Runnable onEnd) {
    SplittableRandom draws = world.chance().of("restore", "draws", 0);
    world.say(() -> "*** a backup is taken");
    world.restored().save();
    long leftUs = Math.max(1, world.scenario().quietAtMs() * 900 - world.scheduler().nowUs());
    world
        .scheduler()
        .after(
            draws.nextLong(leftUs),
            () -> {
              world.restoreLedger(draws);
              restocks.forEach(
                  (id, done) -> {
                    restocking++;
                    restock(done.member(), id, done.qty(), () -> restocking--);
                  });
              awaitRestocks(onEnd);
            });
  }

  private void awaitRestocks(Runnable then) {
    if (restocking == 0) {
      then.run();
    } else {
      later(() -> awaitRestocks(then));
    }
  }

  public void rebuild(String id, Runnable onEnd) {
    List<BucketId> buckets = Sale.buckets(world.scenario());
    BucketId bucket = buckets.get(world.chance().of(id, "rebuild", 0).nextInt(buckets.size()));
    requestRebuild(bucket, onEnd);
  }

  private void requestRebuild(BucketId bucket, Runnable onEnd) {
    ask(() -> skus.request(RequestKind.REBUILD, bucket), onEnd);
  }

  /** Asks again once the ledger was put back: it may have lost the request. */
  private void ask(Supplier<Future<Long>> request, Runnable onEnd) {
    boolean wasRestored = world.restored().isOver();
    request
        .get()
        .onSuccess(
            id ->
                awaitAnswer(
                    id,
                    onEnd,
                    () -> world.restored().isOver() != wasRestored,
                    () -> ask(request, onEnd)))
        .onFailure(unknown -> later(() -> ask(request, onEnd)));
  }

  private void awaitAnswer(long request, Runnable onEnd, BooleanSupplier isLost, Runnable again) {
    skus.answer(request)
        .onComplete(
            answer -> {
              if (answer.succeeded() && answer.result().isPresent()) {
                onEnd.run();
              } else {
                later(
                    () -> {
                      if (isLost.getAsBoolean()) {
                        again.run();
                      } else {
                        awaitAnswer(request, onEnd, isLost, again);
                      }
                    });
              }
            });
  }

  /** Requests a comparison of all buckets with Redis. */
  public void reconcile(String id, Runnable onEnd) {
    int partitions = world.scenario().partitions();
    int partition = world.chance().of(id, "partition", 0).nextInt(partitions);
    ask(() -> skus.requestReconcile(partition), onEnd);
  }

  /** Freezes a SKU for a while, unless it ends. */
  public void freeze(String id, Runnable onEnd) {
    long skuId = anySku(id);
    change(
        skuId, StateChange.FREEZE, () -> later(() -> change(skuId, StateChange.UNFREEZE, onEnd)));
  }

  private void change(long skuId, StateChange change, Runnable then) {
    skus.change(skuId, change, IfMatch.NOTHING)
        .onComplete(
            answer -> {
              boolean isDone =
                  answer.result() instanceof ChangeResult.Done
                      || answer.result() instanceof ChangeResult.IsEnding;
              if (answer.succeeded() && isDone) {
                then.run();
              } else {
                later(() -> change(skuId, change, then));
              }
            });
  }

  private void later(Runnable what) {
    world.scheduler().after(PAUSE_US, what);
  }
}
