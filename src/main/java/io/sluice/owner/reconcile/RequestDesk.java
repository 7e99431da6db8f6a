package io.sluice.owner.reconcile;

import io.sluice.alarm.Part;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.OwnerRequests.OwnerRequest;
import io.sluice.ledger.OwnerRequests.RequestKind;
import io.sluice.model.BucketId;
import io.sluice.owner.fencing.FenceLostException;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.fencing.Ownership;
import io.sluice.owner.rebuild.Rebuilder;
import io.sluice.owner.rebuild.WholeRebuild;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves and answers requests from other instances to an owner. A request that is being served is
 * not started again. LOAD requests first check the ledger, a few at a time, so that thousands of
 * them at once leave its connections to booking.
 */
public final class RequestDesk {
  static final int LOOKS_MAX = 8;
  static final int LOOKS_WAITING_MAX = 1_000;
  private static final Logger log = LoggerFactory.getLogger(RequestDesk.class);

  private record Look(BucketId bucket, Promise<Boolean> served) {}

  private final Ownership ownership;
  private final Ledger ledger;
  private final StockStore stock;
  private final Rebuilder rebuilder;
  private final WholeRebuild wholeRebuild;
  private final Supplier<Future<ReconcileReport>> reconcile;
  private final Set<Long> serving = new HashSet<>();
  private final Deque<Look> looks = new ArrayDeque<>();
  private int looking;
  private boolean choosing;

  public RequestDesk(
      OwnerContext context,
      Rebuilder rebuilder,
      WholeRebuild wholeRebuild,
      Supplier<Future<ReconcileReport>> reconcile) {
    this.ownership = context.ownership();
    this.ledger = context.ledger();
    this.stock = context.stock();
    this.rebuilder = rebuilder;
    this.wholeRebuild = wholeRebuild;
    this.reconcile = reconcile;
  }

  /** Ignores a LOAD request if too many wait: it stays open and is read again. */
  public void serve(OwnerRequest request) {
    boolean full = looks.size() >= LOOKS_WAITING_MAX;
    if ((full && request.kind() == RequestKind.LOAD) || !serving.add(request.id())) {
      return;
    }
    answer(request)
        .compose(answer -> ledger.answerRequests(List.of(request.id()), answer))
        .onComplete(ended -> serving.remove(request.id()))
        .onFailure(
            failure -> {
              if (!Part.explains(failure, System.nanoTime())) {
                log.atWarn()
                    .addKeyValue("partition", ownership.partition())
                    .addKeyValue("request", request.kind())
                    .addKeyValue("cause", failure.toString())
                    .log("request to a partition owner failed; it stays open and is retried");
              }
            });
  }

  private Future<String> answer(OwnerRequest request) {
    if (request.kind() == RequestKind.RECONCILE) {
      return reconcile.get().map(ReconcileReport::json);
    }
    String why = "request " + request.id() + ": " + request.kind();
    if (request.bucket().isEmpty()) {
      return wholeRebuild.run(why).map("{\"done\":true}");
    }
    BucketId bucket = request.bucket().get();
    Future<Boolean> served =
        request.kind() == RequestKind.LOAD ? isServedInTurn(bucket) : Future.succeededFuture(false);
    return served
        .compose(is -> is ? Future.succeededFuture() : rebuilder.request(bucket, why))
        .map("{\"done\":true}");
  }

  private Future<Boolean> isServedInTurn(BucketId bucket) {
    Look look = new Look(bucket, Promise.promise());
    looks.add(look);
    lookOn();
    return look.served().future();
  }

  /** A loop instead of recursion: checks of an owner that has lost its fence all fail at once. */
  private void lookOn() {
    if (choosing) {
      return;
    }
    choosing = true;
    while (looking < LOOKS_MAX && !looks.isEmpty()) {
      begin(looks.remove());
    }
    choosing = false;
  }

  private void begin(Look look) {
    looking++;
    Future<Boolean> served =
        ownership.isLost()
            ? Future.failedFuture(new FenceLostException(ownership.partition()))
            : isServed(look.bucket());
    served.onComplete(
        seen -> {
          looking--;
          look.served().handle(seen);
          lookOn();
        });
  }

  /**
   * A LOAD request is repeated until it is answered, so the bucket may be open by now; then it must
   * not be shut again.
   */
  private Future<Boolean> isServed(BucketId bucket) {
    return ledger
        .bucket(bucket)
        .compose(
            row ->
                stock
                    .snapshot(bucket, List.of(), 0)
                    .map(
                        seen ->
                            row.isEmpty()
                                || row.get().state().isEnded()
                                || (seen.code() == BucketCode.OK
                                    && seen.epoch() == row.get().epoch())));
  }
}
