package io.sluice.ledger;

import java.util.Locale;

/**
 * One command on all orders of a sale, or of a SKU, that were granted before it was started. An
 * instance works at it page by page; if it dies, another one goes on. Passes over the orders are
 * repeated until one finds nothing to do, and each command may be repeated, so no unit is moved
 * twice.
 *
 * @param jobId chosen by the operator
 * @param saleId empty for a job about a SKU
 * @param skuId 0 for a job about a sale
 * @param startedAtMs by the clock of the ledger
 * @param changed orders that it has changed; one that was changed just before a kill may be missing
 * @param refused orders of the present pass, or the last one, whose command was refused
 * @param undone orders of the present pass that were changed, or of which it is not known yet
 * @param place up to where the pass has looked, as text; empty at its begin
 * @param version rises with each change of it
 */
public record OrderJob(
    String jobId,
    Action action,
    String saleId,
    long skuId,
    String startedBy,
    long startedAtMs,
    State state,
    long changed,
    long refused,
    long undone,
    String place,
    long version) {

  /** What it does. The names are stored; do not rename them. */
  public enum Action {
    CANCEL_UNPAID,
    REFUND_PAID,
    /** Refunds, too; the units leave the stock. */
    WITHDRAW_PAID;

    /** Its name in calls; a refund is one of two. */
    public String word() {
      Action told = this == WITHDRAW_PAID ? REFUND_PAID : this;
      return told.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** How far it is. */
  public enum State {
    RUNNING,
    DONE,
    STOPPED
  }

  /** One that is to be started. */
  public static OrderJob wanted(
      String jobId, Action action, String saleId, long skuId, String startedBy) {
    return new OrderJob(jobId, action, saleId, skuId, startedBy, 0, State.RUNNING, 0, 0, 0, "", 0);
  }

  /** Whether it was started for the same. */
  public boolean isSameAs(OrderJob other) {
    return action == other.action && saleId.equals(other.saleId) && skuId == other.skuId;
  }

  /**
   * After one page more of its pass.
   *
   * @param next the place behind the page; empty at the end of the pass
   */
  public OrderJob after(long changedNow, long openNow, long refusedNow, String next) {
    long left = undone + changedNow + openNow;
    boolean passEnds = next.isEmpty();
    return new OrderJob(
        jobId,
        action,
        saleId,
        skuId,
        startedBy,
        startedAtMs,
        passEnds && left == 0 ? State.DONE : State.RUNNING,
        changed + changedNow,
        (place.isEmpty() ? 0 : refused) + refusedNow,
        passEnds ? 0 : left,
        next,
        version);
  }
}
