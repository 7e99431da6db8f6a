package io.sluice.admin;

import io.sluice.async.AsyncLoop;
import io.sluice.async.Poll;
import io.sluice.async.Poll.Deadline;
import io.sluice.ledger.ArchiveRequests.ArchiveResult;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.OwnerRequests.RequestKind;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.stock.Stock;
import io.sluice.web.problem.Problem;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The operators' changes of SKUs: each is written to the ledger and then waits until Redis shows
 * it. The owners update Redis; nothing here writes to it.
 */
final class SkuOperations {
  static final Duration SHOWN_WITHIN = Duration.ofSeconds(10);
  static final Duration ARCHIVED_WITHIN = Duration.ofSeconds(5);
  static final Duration REBUILT_WITHIN = Duration.ofSeconds(30);

  private final SkuLedger ledger;
  private final BucketViews views;
  private final Poll poll;

  /** The ledger and the store must be callable from the event loop that calls this. */
  SkuOperations(SkuLedger ledger, Stock stock, Poll poll) {
    this.ledger = ledger;
    this.views = new BucketViews(stock);
    this.poll = poll;
  }

  Future<SkuOutcome> put(NewSku sku) {
    return ledger
        .put(sku)
        .compose(
            result ->
                result instanceof PutResult.Done done
                    ? shown(
                        done.sku(), new SkuOutcome.Put(done.sku(), done.created(), done.changed()))
                    : no(SkuProblems.of(result)));
  }

  Future<SkuOutcome> change(long skuId, StateChange change, IfMatch ifMatch) {
    return ledger
        .change(skuId, change, ifMatch)
        .compose(
            result ->
                result instanceof ChangeResult.Done done
                    ? changed(done.sku(), change)
                    : no(SkuProblems.of(result)));
  }

  private Future<SkuOutcome> changed(Sku sku, StateChange change) {
    return change == StateChange.END && sku.state() == SkuState.ENDING ? stopped(sku) : shown(sku);
  }

  /**
   * Completes once Redis grants no more, or the time is over. An end takes as long as the last
   * order takes to be paid, so that is not waited for.
   */
  private Future<SkuOutcome> stopped(Sku sku) {
    Deadline deadline = poll.deadline(SHOWN_WITHIN);
    return ledger
        .bucketsOf(sku.skuId())
        .compose(rows -> poll.until(deadline, () -> views.haveStopped(rows), all -> all))
        .map(all -> new SkuOutcome.Later(sku));
  }

  Future<SkuOutcome> restock(long skuId, String restockId, long qty, IfMatch ifMatch) {
    return poll.until(
            poll.deadline(SHOWN_WITHIN),
            () -> ledger.restock(skuId, restockId, qty, ifMatch),
            result -> !(result instanceof RestockResult.Working))
        .compose(
            result ->
                result instanceof RestockResult.Done done
                    ? shown(done.sku())
                    : no(SkuProblems.of(result, qty)));
  }

  /** Asks for the orders to be moved to the archive, and waits a while for the end of it. */
  Future<SkuOutcome> archive(long skuId) {
    return poll.until(
            poll.deadline(ARCHIVED_WITHIN),
            () -> ledger.archive(skuId),
            result -> !(result instanceof ArchiveResult.Working))
        .map(SkuOperations::archived);
  }

  private static SkuOutcome archived(ArchiveResult result) {
    if (result instanceof ArchiveResult.Done done) {
      return new SkuOutcome.Done(done.sku());
    }
    if (result instanceof ArchiveResult.Working working) {
      return new SkuOutcome.Later(working.sku());
    }
    return new SkuOutcome.No(
        result instanceof ArchiveResult.NotEnded ? SkuProblems.NOT_ENDED : SkuProblems.UNKNOWN);
  }

  /**
   * Asks the owners to rebuild all buckets, and waits for their answers; those that are in the
   * ledger alone have none.
   */
  Future<SkuOutcome> rebuild(long skuId) {
    Deadline deadline = poll.deadline(REBUILT_WITHIN);
    return ledger
        .sku(skuId)
        .compose(
            sku ->
                sku.isEmpty()
                    ? no(SkuProblems.UNKNOWN)
                    : ledger
                        .bucketsOf(skuId)
                        .map(rows -> rows.stream().filter(row -> !row.isDirect()).toList())
                        .compose(rows -> rebuilt(rows, deadline))
                        .compose(all -> all ? shown(sku.get()) : no(SkuProblems.RECORDED)));
  }

  /** Creates a request for each bucket, then waits for each answer; false if the time is over. */
  private Future<Boolean> rebuilt(List<BucketRow> rows, Deadline deadline) {
    List<Long> requests = new ArrayList<>();
    AtomicBoolean all = new AtomicBoolean(true);
    return AsyncLoop.forEach(
            rows, row -> ledger.request(RequestKind.REBUILD, row.id()).onSuccess(requests::add))
        .compose(
            asked ->
                AsyncLoop.forEach(
                    requests,
                    request ->
                        poll.until(deadline, () -> ledger.answer(request), Optional::isPresent)
                            .onSuccess(answer -> all.compareAndSet(true, answer.isPresent()))))
        .map(done -> all.get());
  }

  /** Completes once Redis serves at least what the ledger says now, or the time is over. */
  private Future<SkuOutcome> shown(Sku sku) {
    return shown(sku, new SkuOutcome.Done(sku));
  }

  private Future<SkuOutcome> shown(Sku sku, SkuOutcome outcome) {
    Deadline deadline = poll.deadline(SHOWN_WITHIN);
    return ledger
        .bucketsOf(sku.skuId())
        .compose(rows -> allShown(rows, deadline))
        .map(all -> all ? outcome : new SkuOutcome.No(SkuProblems.RECORDED));
  }

  private Future<Boolean> allShown(List<BucketRow> rows, Deadline deadline) {
    return poll.until(deadline, () -> views.areShown(rows), all -> all);
  }

  private static Future<SkuOutcome> no(Problem problem) {
    return Future.succeededFuture(new SkuOutcome.No(problem));
  }
}
