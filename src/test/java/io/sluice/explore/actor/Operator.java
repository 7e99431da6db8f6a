package io.sluice.explore.actor;

import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.ledger.OwnerRequests.RequestKind;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import java.util.List;
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
  private long restocked;

  public Operator(World world) {
    this.world = world;
    this.skus = world.storesOf(new Node(World.OPERATOR, world.scheduler(), world.chance())).skus();
  }

  /** The sum of all restocked units. */
  public long restocked() {
    return restocked;
  }

  public void restock(String id, Runnable onEnd) {
    SplittableRandom draws = world.chance().of(id, "restock", 0);
    long units = 1 + draws.nextLong(UNITS_MAX);
    long qty = draws.nextInt(5) < 2 ? units : -units;
    restock(id, qty, onEnd);
  }

  private void restock(String id, long qty, Runnable onEnd) {
    skus.restock(Sale.SKU, id, qty)
        .onComplete(
            answer -> {
              RestockResult result = answer.result();
              if (answer.succeeded() && !(result instanceof RestockResult.Working)) {
                restocked += result instanceof RestockResult.Done ? qty : 0;
                onEnd.run();
              } else {
                later(() -> restock(id, qty, onEnd));
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

  /** Freezes the sale for a while. */
  public void freeze(Runnable onEnd) {
    change(StateChange.FREEZE, () -> later(() -> change(StateChange.UNFREEZE, onEnd)));
  }

  private void change(StateChange change, Runnable then) {
    skus.change(Sale.SKU, change)
        .onComplete(
            answer -> {
              if (answer.succeeded() && answer.result() instanceof ChangeResult.Done) {
                then.run();
              } else {
                later(() -> change(change, then));
              }
            });
  }

  private void later(Runnable what) {
    world.scheduler().after(PAUSE_US, what);
  }
}
