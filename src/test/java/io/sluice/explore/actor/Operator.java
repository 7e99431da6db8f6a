package io.sluice.explore.actor;

import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.ledger.OwnerRequests.RequestKind;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Restocks, takes back, freezes and requests rebuilds; each is repeated until it is known to be
 * done.
 */
public final class Operator {
  private static final long PAUSE_US = 400_000;
  private static final int UNITS_MAX = 3;

  private final World world;
  private final SkuLedger skus;
  private final Map<Member, Long> restocked = new HashMap<>();
  private int restocking;
  private boolean restocksWait;

  /** A SKU in one of its sales. */
  private record Member(long skuId, long saleNo) {}

  public Operator(World world) {
    this.world = world;
    this.skus = world.storesOf(new Node(World.OPERATOR, world.scheduler(), world.chance())).skus();
  }

  /** The sum of all restocked units of a SKU in this sale. */
  public long restocked(long skuId, long saleNo) {
    return restocked.getOrDefault(new Member(skuId, saleNo), 0L);
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

  private void restock(Member member, String id, long qty, Runnable onEnd) {
    skus.restock(member.skuId(), id, qty)
        .onComplete(
            answer -> {
              RestockResult result = answer.result();
              if (answer.succeeded() && !(result instanceof RestockResult.Working)) {
                restocked.merge(member, result instanceof RestockResult.Done ? qty : 0, Long::sum);
                onEnd.run();
              } else {
                later(() -> restock(member, id, qty, onEnd));
              }
            });
  }

  public void rebuild(String id, Runnable onEnd) {
    List<BucketId> buckets = Sale.buckets(world.scenario());
    BucketId bucket = buckets.get(world.chance().of(id, "rebuild", 0).nextInt(buckets.size()));
    requestRebuild(bucket, onEnd);
  }

  private void requestRebuild(BucketId bucket, Runnable onEnd) {
    skus.request(RequestKind.REBUILD, bucket)
        .onSuccess(request -> awaitAnswer(request, onEnd))
        .onFailure(unknown -> later(() -> requestRebuild(bucket, onEnd)));
  }

  private void awaitAnswer(long request, Runnable onEnd) {
    skus.answer(request)
        .onComplete(
            answer -> {
              if (answer.succeeded() && answer.result().isPresent()) {
                onEnd.run();
              } else {
                later(() -> awaitAnswer(request, onEnd));
              }
            });
  }

  /** Requests a comparison of all buckets with Redis. */
  public void reconcile(Runnable onEnd) {
    skus.requestReconcile(World.PARTITION)
        .onSuccess(request -> awaitAnswer(request, onEnd))
        .onFailure(unknown -> later(() -> reconcile(onEnd)));
  }

  /** Freezes a SKU for a while, unless it ends. */
  public void freeze(String id, Runnable onEnd) {
    long skuId = anySku(id);
    change(
        skuId, StateChange.FREEZE, () -> later(() -> change(skuId, StateChange.UNFREEZE, onEnd)));
  }

  private void change(long skuId, StateChange change, Runnable then) {
    skus.change(skuId, change)
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
