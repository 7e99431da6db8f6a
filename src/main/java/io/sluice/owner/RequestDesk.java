package io.sluice.owner;

import io.sluice.async.Batcher;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.model.BucketId;
import io.sluice.monitor.Part;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
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
final class RequestDesk {
  static final int LOOKS_MAX = 8;
  static final int LOOKS_WAITING_MAX = 1_000;
  private static final Logger log = LoggerFactory.getLogger(RequestDesk.class);

  private record Look(BucketId bucket, Promise<Boolean> served) {}

  private final Ownership ownership;
  private final Ledger ledger;
  private final StockStore stock;
  private final Rebuilder rebuilder;
  private final Supplier<Future<String>> reconcile;
  private final Set<Long> serving = new HashSet<>();
  private final Batcher<Look> looks =
      new Batcher<>(Batcher.Limits.ofItems(LOOKS_MAX, 1), next -> look(next.get(0)));

  RequestDesk(OwnerContext context, Rebuilder rebuilder, Supplier<Future<String>> reconcile) {
    this.ownership = context.ownership();
    this.ledger = context.ledger();
    this.stock = context.stock();
    this.rebuilder = rebuilder;
    this.reconcile = reconcile;
  }

  /** Ignores a LOAD request if too many wait: it stays open and is read again. */
  void serve(OwnerRequest request) {
    boolean full = looks.waitingWeight() >= LOOKS_WAITING_MAX;
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
      return reconcile.get();
    }
    String why = "request " + request.id() + ": " + request.kind();
    if (request.bucket().isEmpty()) {
      return rebuilder.requestAll(why).map("{\"done\":true}");
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
    return look.served().future();
  }

  private Future<?> look(Look look) {
    return ownership.ifHeld(() -> isServed(look.bucket())).onComplete(look.served());
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
