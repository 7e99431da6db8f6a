package io.sluice.admin;

import io.sluice.async.AsyncLoop;
import io.sluice.async.Poll;
import io.sluice.async.Poll.Deadline;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.ChangeResult;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.model.Sale;
import io.sluice.model.SkuState;
import io.sluice.stock.Stock;
import io.sluice.web.problem.Problem;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * The operators' changes of sales: each is written to the ledger, taken over by the SKUs of the
 * sale, and then waits until Redis shows it. A change that is not done in time is answered as
 * recorded; {@link SaleFollower} does the rest.
 */
final class SaleOperations {
  static final Duration SHOWN_WITHIN = Duration.ofSeconds(10);

  private final SaleLedger sales;
  private final SkuLedger skus;
  private final BucketViews views;
  private final Poll poll;

  /** The ledger and the store must be callable from the event loop that calls this. */
  SaleOperations(SaleLedger sales, SkuLedger skus, Stock stock, Poll poll) {
    this.sales = sales;
    this.skus = skus;
    this.views = new BucketViews(stock);
    this.poll = poll;
  }

  Future<SaleOutcome> put(NewSale wanted) {
    return sales
        .put(wanted)
        .compose(
            result ->
                result instanceof PutResult.Done done
                    ? shown(done.sale(), done.created(), Optional.of(done))
                    : no(SaleProblems.of(result, wanted)));
  }

  Future<SaleOutcome> change(String saleId, StateChange change, IfMatch ifMatch) {
    return sales
        .change(saleId, change, ifMatch)
        .compose(
            result ->
                result instanceof ChangeResult.Done done
                    ? change == StateChange.END
                        ? begun(done.sale(), SkuState.ENDED)
                        : shown(done.sale(), false, Optional.empty())
                    : no(SaleProblems.of(result)));
  }

  /** Asks for the orders of the sale to be moved to the archive. */
  Future<SaleOutcome> archive(String saleId, IfMatch ifMatch) {
    return sales
        .archive(saleId, ifMatch)
        .compose(
            result ->
                result instanceof ChangeResult.Done done
                    ? begun(done.sale(), SkuState.ARCHIVED)
                    : no(SaleProblems.of(result)));
  }

  /**
   * An end takes as long as the last order takes to be paid, and an archive as long as its orders
   * are many, so that is not waited for.
   */
  private Future<SaleOutcome> begun(Sale sale, SkuState last) {
    if (sale.state().compareTo(last) >= 0) {
      return Future.succeededFuture(new SaleOutcome.Done(sale, false, true, Optional.empty()));
    }
    return takenOver(sale.saleId(), poll.deadline(SHOWN_WITHIN))
        // It is recorded, whatever cannot be done now.
        .otherwise(false)
        .map(begun -> new SaleOutcome.Done(sale, false, false, Optional.empty()));
  }

  private Future<SaleOutcome> shown(Sale sale, boolean created, Optional<PutResult.Done> put) {
    Deadline deadline = poll.deadline(SHOWN_WITHIN);
    return takenOver(sale.saleId(), deadline)
        .compose(
            all ->
                all
                    ? new ShownSale(sales, skus, views, sale.saleId()).until(poll, deadline)
                    : Future.succeededFuture(false))
        // It is recorded, whatever cannot be read now.
        .otherwise(false)
        .map(shown -> new SaleOutcome.Done(sale, created, shown, put));
  }

  /** Whether all SKUs have taken over the sale; false if the time was over before. */
  private Future<Boolean> takenOver(String saleId, Deadline deadline) {
    boolean[] more = {true};
    return AsyncLoop.whileTrue(
            () ->
                poll.isOver(deadline)
                    ? Future.succeededFuture(false)
                    : sales.takeOver(saleId).onSuccess(left -> more[0] = left))
        .map(stopped -> !more[0]);
  }

  private static Future<SaleOutcome> no(Problem problem) {
    return Future.succeededFuture(new SaleOutcome.No(problem));
  }
}
