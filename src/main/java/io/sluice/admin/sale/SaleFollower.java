package io.sluice.admin.sale;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.SaleLedger;
import io.vertx.core.Future;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets SKUs take over what their sales were changed to where the call that began it has ended
 * early: its time was over, or its instance has died. Every instance does, and it does not matter
 * how many.
 */
public final class SaleFollower {
  public static final Duration EVERY = Duration.ofSeconds(3);
  static final int SALES_MAX = 20;

  private static final Logger log = LoggerFactory.getLogger(SaleFollower.class);

  private final SaleLedger sales;
  private boolean running;

  public SaleFollower(SaleLedger sales) {
    this.sales = sales;
  }

  /** Called by a timer; does nothing while the work of an earlier call goes on. */
  public Future<Void> tick() {
    if (running) {
      return Future.succeededFuture();
    }
    running = true;
    return sales
        .behind(SALES_MAX)
        .compose(
            behind ->
                AsyncLoop.forEach(
                    behind, saleId -> AsyncLoop.whileTrue(() -> sales.takeOver(saleId))))
        .onComplete(
            done -> {
              running = false;
              if (done.failed()) {
                log.atDebug().setCause(done.cause()).log("sales cannot be looked after now");
              }
            })
        .otherwiseEmpty();
  }
}
