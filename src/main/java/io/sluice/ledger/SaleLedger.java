package io.sluice.ledger;

import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operators' changes and reads of sales; each call is one transaction, from any instance. A
 * change is made in the row of the sale, and its SKUs take it over by {@link #takeOver}, some in
 * each transaction. So a sale of any size blocks nobody for long. If the instance dies in between,
 * the next caller goes on. Opening and closing at a time of the sale changes no row. Failures as in
 * {@link Ledger}.
 */
public interface SaleLedger {

  /**
   * The validated body of a PUT.
   *
   * @param skus those that join or are in the sale already, each once; others of the sale stay
   * @param put which of the values it leaves out, and what it depends on
   */
  record NewSale(
      String saleId, String name, boolean carts, SaleTerms terms, List<SaleSku> skus, Put put) {
    public NewSale {
      skus = List.copyOf(skus);
    }

    /** With all values given. */
    public NewSale(String saleId, String name, boolean carts, SaleTerms terms, List<SaleSku> skus) {
      this(saleId, name, carts, terms, skus, Put.WHOLE);
    }
  }

  /**
   * A SKU in the body of a PUT.
   *
   * @param mode fixed by the first PUT
   * @param name null for none
   * @param leaves the fields that are left out: a SKU that exists keeps its values, one that joins
   *     its next sale as well
   */
  record SaleSku(
      long skuId,
      long totalStock,
      int buckets,
      int limitPerUser,
      Watermarks marks,
      Sku.Mode mode,
      @Nullable String name,
      Set<String> leaves) {
    public SaleSku {
      leaves = Set.copyOf(leaves);
    }
  }

  /** The outcome of a PUT for one of its SKUs. */
  enum Joined {
    CREATED,
    /** It had ended, and begins its next sale. */
    JOINED,
    CHANGED,
    KEPT
  }

  /** Why a PUT is refused because of one of its SKUs. */
  sealed interface SkuFault {
    long skuId();

    /**
     * It exists, not in this sale, and has not ended.
     *
     * @param saleId the sale that it is in; null if it is in none
     */
    record InUse(long skuId, @Nullable String saleId) implements SkuFault {}

    /**
     * It was in this sale, and has gone on to another one: it is in a sale once.
     *
     * @param saleId the sale that it is in now
     */
    record Left(long skuId, @Nullable String saleId) implements SkuFault {}

    /** It is new, and sells through Redis, which this service does not have. */
    record NoMode(long skuId) implements SkuFault {}

    /** It differs in what the first PUT has fixed. */
    record Fixed(long skuId, String field, String expected, String was) implements SkuFault {}
  }

  /** The result of a PUT. */
  sealed interface PutResult {
    /**
     * @param created false if the sale existed, changed or not
     * @param skus the outcome for each SKU of the PUT, in its order
     * @param changed the fields that have other values than before: of the sale, and of those SKUs
     *     that were in it, such as {@code skus[0].limit_per_user}
     */
    record Done(Sale sale, boolean created, Map<Long, Joined> skus, List<String> changed)
        implements PutResult {}

    /** Nothing was written: the PUT is not meant for the sale that exists. */
    record Moved(boolean exists) implements PutResult {}

    /** Nothing was written: a field is wrong for what exists, or for what is new. */
    record Invalid(String field, Put.Fault fault) implements PutResult {}

    /** Nothing was written: the sale is ending, or has ended. */
    record IsEnding() implements PutResult {}

    /** The PUT differs in {@code carts}, which is fixed by the first PUT. */
    record CartsFixed(boolean carts) implements PutResult {}

    /** Nothing was written, because of these SKUs. */
    record Refused(List<SkuFault> faults) implements PutResult {}

    /** Nothing was written: the sale would have more SKUs than it may. */
    record Full(int skusMax, long skus) implements PutResult {}
  }

  /**
   * Creates the sale with its SKUs, or changes it and adds SKUs: all of it or nothing. Fields that
   * the PUT leaves out are not changed. Only a new SKU can join, or one that has ended; that one is
   * brought to its stock, and sells on with its buckets and its mode.
   */
  Future<PutResult> put(NewSale sale);

  /** The result of a state change. */
  sealed interface ChangeResult {
    record Done(Sale sale) implements ChangeResult {}

    record Unknown() implements ChangeResult {}

    /** Nothing was written: the sale is not what the change is meant for. */
    record Moved() implements ChangeResult {}

    /** Open, close, end and follow do not apply to a frozen sale. */
    record IsFrozen() implements ChangeResult {}

    /** The sale is ending, or has ended. */
    record IsEnding() implements ChangeResult {}

    /** Only a sale that has ended is archived. */
    record NotEnded() implements ChangeResult {}
  }

  /**
   * Changes the state; idempotent, with the meaning that the changes of a SKU have. END closes the
   * sale, then its SKUs end, and with the last of them the sale. FOLLOW lets it open and close by
   * its times again.
   *
   * @param ifMatch what must exist
   */
  Future<ChangeResult> change(String saleId, StateChange change, IfMatch ifMatch);

  /**
   * Begins to end the sale if its closes_at has passed {@code closedForMs} ago by the ledger's
   * clock, and it is not frozen.
   */
  Future<Void> endClosed(String saleId, long closedForMs);

  /**
   * Asks for all orders of an ended sale to be moved to the archive; it is ARCHIVED once all its
   * SKUs are. Repeated, it says how far it is.
   *
   * @param ifMatch what must exist
   */
  Future<ChangeResult> archive(String saleId, IfMatch ifMatch);

  /** The result of a deletion. */
  sealed interface DeleteResult {
    record Done() implements DeleteResult {}

    /** Some of its SKUs are deleted; call again. */
    record Working() implements DeleteResult {}

    record Unknown() implements DeleteResult {}

    /** Nothing was deleted: only a sale that has ended takes no order any more. */
    record NotEnded() implements DeleteResult {}

    /** This SKU of it has orders, of whatever sale and status. */
    record HasOrders(long skuId) implements DeleteResult {}

    /** This SKU of it is in another sale now. */
    record GoneOn(long skuId, String saleId) implements DeleteResult {}
  }

  /**
   * Deletes a sale that has ended, with its SKUs, of which none has an order. They are deleted as
   * by {@link SkuLedger#delete}, in one transaction with the sale; of many SKUs some in each, and
   * the sale with the last.
   */
  Future<DeleteResult> delete(String saleId);

  /**
   * The maximum of SKUs and of buckets that one {@link #takeOver} or {@link #delete} changes, but
   * one SKU at least.
   */
  int TAKE_OVER_SKUS_MAX = 500;

  int TAKE_OVER_BUCKETS_MAX = 2_000;

  /** The maximum of SKUs that one {@link #takeOver} asks the archive for. */
  int TAKE_OVER_ARCHIVES_MAX = 50;

  /**
   * Takes the next step from a change of the sale to its SKUs; false if there is none now. Some
   * SKUs take over its terms and its state. Once all of an ending sale have, some of them begin to
   * end; those that are frozen, or from which units are being taken back, do so later. Once all
   * have ended, or are archived, the sale is so. The owners update Redis after it.
   */
  Future<Boolean> takeOver(String saleId);

  /**
   * The next sales, in order of their ids, of which some SKUs may not have the last change, or that
   * wait for the end or the archive of some.
   *
   * @param afterSaleId empty for the first ones
   */
  Future<List<String>> behind(String afterSaleId, int limit);

  /**
   * A sale, and when it was read by the ledger's clock.
   *
   * @param sale as stored; {@link Sale#at} gives the effective state
   */
  record Seen(Sale sale, long nowMs) {
    public SkuState state() {
      return sale.at(nowMs);
    }
  }

  /** One sale, or empty. */
  Future<Optional<Seen>> sale(String saleId);

  /** Sales in id order, those after {@code afterSaleId}. */
  Future<List<Seen>> sales(String afterSaleId, int limit);

  /**
   * SKUs of a sale in one stored state, and the units of their buckets in this sale.
   *
   * @param behind how many of the SKUs do not have the sale's last change yet
   */
  record StateTotals(
      SkuState stored, long skus, long behind, long allotted, long held, long sold) {}

  /**
   * All SKUs of the sale by their stored states; empty if it has none. One that is in a later sale
   * counts as it was, with what this sale had of it.
   */
  Future<List<StateTotals>> totals(String saleId);

  /** The SKUs whose current sale this is, in id order, those after {@code afterSkuId}. */
  Future<List<Sku>> skusOf(String saleId, long afterSkuId, int limit);

  /**
   * A SKU of a sale.
   *
   * @param sku as it is; if it is in a later sale, as it was when it left this one
   * @param isCurrent whether it is in no later sale
   * @param sold if it is in a later one: the units that its orders of this sale have bought
   */
  record Member(Sku sku, boolean isCurrent, long sold) {
    public static Member current(Sku sku) {
      return new Member(sku, true, 0);
    }

    /**
     * An ended SKU that leaves its sale; empty if it sold on its own.
     *
     * @param base units that all its orders so far hold or have bought
     */
    public static Optional<Member> leaving(Sku sku, long base) {
      return sku.membership().isInSale()
          ? Optional.of(new Member(sku, false, base - sku.membership().base()))
          : Optional.empty();
    }
  }

  /** Like {@link #skusOf}, with the SKUs that have gone on to a later sale. */
  Future<List<Member>> members(String saleId, long afterSkuId, int limit);

  // ---- jobs on the orders of sales

  /** Starts a job, unless there is one with its id; returns the one that there is. */
  Future<OrderJob> startJob(OrderJob wanted);

  /** One job, or empty. */
  Future<Optional<OrderJob>> job(String jobId);

  /** The newest jobs in a state. */
  Future<List<OrderJob>> jobs(OrderJob.State state, int limit);

  /**
   * The oldest running job that no instance works at. It is the caller's for so long; empty if
   * there is none.
   */
  Future<Optional<OrderJob>> takeJob(Duration lease);

  /**
   * Saves how far a job is that the caller works at, which is his for so long from now. Empty if it
   * is not his any more: it was stopped, or another instance has taken it.
   */
  Future<Optional<OrderJob>> saveJob(OrderJob job, Duration lease);

  /** Stops a job, if it is running; empty if there is none. */
  Future<Optional<OrderJob>> stopJob(String jobId);

  /** The maximum of SKUs that {@link #skusOf} and {@link #members} return. */
  int SKUS_PAGE_MAX = Limits.SALE_PUT_SKUS_MAX;
}
