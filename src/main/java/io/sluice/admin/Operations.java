package io.sluice.admin;

import io.sluice.admin.AdminCall.Outcome;
import io.sluice.admin.BucketViews.BucketView;
import io.sluice.async.AsyncLoop;
import io.sluice.async.Poll;
import io.sluice.async.Poll.Deadline;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult.TotalChange;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.web.Problem;
import io.sluice.web.Rfc3339;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The operators' changes of SKUs and sales, and what they ask owners for. A change is written to
 * the ledger, taken over by the SKUs of a sale, and then waits until Redis shows it. The owners
 * update Redis, on any instance; nothing here writes to it. A change of a sale that is not done in
 * time is answered as recorded; {@link SaleFollower} does the rest.
 *
 * <p>The stores must be callable from the event loop that calls this.
 */
record Operations(
    SkuLedger skus, SaleLedger sales, BucketViews views, Poll poll, InstantSource clock) {
  static final Duration SHOWN_WITHIN = Duration.ofSeconds(10);
  static final Duration ARCHIVED_WITHIN = Duration.ofSeconds(5);
  static final Duration REBUILT_WITHIN = Duration.ofSeconds(30);
  static final Duration REPORTED_WITHIN = Duration.ofSeconds(30);

  /** SKUs of a sale that are looked at together. */
  private static final int PAGE = 200;

  private static final JsonObject NOTHING_MORE = new JsonObject();

  // ---- SKUs

  Future<Outcome> put(NewSku wanted) {
    return skus.put(wanted)
        .compose(
            result ->
                result instanceof SkuLedger.PutResult.Done done
                    ? written(done)
                    : AdminCall.no(ChangeProblems.of(result)));
  }

  private Future<Outcome> written(SkuLedger.PutResult.Done put) {
    JsonObject changed = new JsonObject().put("changed", new JsonArray(put.changed()));
    TotalChange total = put.restock();
    return total == null
        ? shown(put.sku(), put.created() ? 201 : 200, changed)
        : restocked(
                // It has begun: if it is not known any more, the SKU is in another sale.
                () ->
                    skus.restock(
                        put.sku().skuId(),
                        total.restockId(),
                        total.qty(),
                        IfMatch.of(put.sku().tag())))
            .compose(
                result ->
                    result instanceof RestockResult.Done done
                        ? shown(done.sku(), 200, changed)
                        : AdminCall.no(ChangeProblems.of(result, put.sku(), total)));
  }

  Future<Outcome> change(long skuId, StateChange change, IfMatch ifMatch) {
    return skus.change(skuId, change, ifMatch)
        .compose(
            result ->
                result instanceof SkuLedger.ChangeResult.Done done
                    ? changed(done.sku(), change)
                    : AdminCall.no(ChangeProblems.of(result)));
  }

  /**
   * An end takes as long as the last order takes to be paid, so it is answered once Redis grants no
   * more, or the time is over.
   */
  private Future<Outcome> changed(Sku sku, StateChange change) {
    return change == StateChange.END && sku.state() == SkuState.ENDING
        ? untilAll(sku, BucketView::hasStopped).map(all -> done(sku, 202, NOTHING_MORE))
        : shown(sku, 200, NOTHING_MORE);
  }

  Future<Outcome> restock(long skuId, OperatorBodies.Restock wanted, IfMatch ifMatch) {
    return restocked(() -> skus.restock(skuId, wanted.restockId(), wanted.qty(), ifMatch))
        .compose(
            result ->
                result instanceof RestockResult.Done done
                    ? shown(done.sku(), 200, NOTHING_MORE)
                    : AdminCall.no(ChangeProblems.of(result, wanted.qty())));
  }

  /** Repeats it while owners take units. */
  private Future<RestockResult> restocked(Supplier<Future<RestockResult>> restock) {
    return poll.until(
        poll.deadline(SHOWN_WITHIN), restock, result -> !(result instanceof RestockResult.Working));
  }

  /** Asks for the orders to be moved to the archive, and waits a while for the end of it. */
  Future<Outcome> archive(long skuId) {
    return poll.until(
            poll.deadline(ARCHIVED_WITHIN),
            () -> skus.archive(skuId),
            result -> !(result instanceof ArchiveResult.Working))
        .map(this::archived);
  }

  private Outcome archived(ArchiveResult result) {
    if (result instanceof ArchiveResult.Done done) {
      return done(done.sku(), 200, NOTHING_MORE);
    }
    return result instanceof ArchiveResult.Working working
        ? done(working.sku(), 202, NOTHING_MORE)
        : new Outcome.No(ChangeProblems.byName(result));
  }

  /** Deletes a SKU; instances that know it notice that as they read it again. */
  Future<Outcome> delete(long skuId) {
    return skus.delete(skuId)
        .map(
            result ->
                result instanceof SkuLedger.DeleteResult.Done
                    ? AdminCall.ok(new JsonObject().put("sku_id", skuId))
                    : new Outcome.No(ChangeProblems.byName(result)));
  }

  /**
   * Asks the owners to rebuild all buckets, and waits for their answers; those that are in the
   * ledger alone have none.
   */
  Future<Outcome> rebuild(long skuId) {
    Deadline deadline = poll.deadline(REBUILT_WITHIN);
    return skus.sku(skuId)
        .compose(
            sku ->
                sku.isEmpty() ? AdminCall.no(Problem.UNKNOWN_SKU) : rebuild(sku.get(), deadline));
  }

  private Future<Outcome> rebuild(Sku sku, Deadline deadline) {
    return skus.bucketsOf(sku.skuId())
        .map(rows -> rows.stream().filter(row -> !row.isDirect()).map(row -> row.id()).toList())
        .compose(ids -> answers(ids, id -> skus.request(RequestKind.REBUILD, id), deadline))
        .compose(
            answers ->
                answers.values().stream().allMatch(Optional::isPresent)
                    ? shown(sku, 200, NOTHING_MORE)
                    : AdminCall.no(ChangeProblems.RECORDED));
  }

  /** Completes once Redis serves at least what the ledger says now, or the time is over. */
  private Future<Outcome> shown(Sku sku, int status, JsonObject more) {
    return untilAll(sku, BucketView::isShown)
        .map(all -> all ? done(sku, status, more) : new Outcome.No(ChangeProblems.RECORDED));
  }

  /** Whether Redis shows all buckets of the SKU like this; false if the time was over before. */
  private Future<Boolean> untilAll(Sku sku, Predicate<BucketView> shows) {
    Deadline deadline = poll.deadline(SHOWN_WITHIN);
    return skus.bucketsOf(sku.skuId())
        .compose(rows -> poll.until(deadline, () -> views.all(rows, shows), all -> all));
  }

  private Outcome done(Sku sku, int status, JsonObject more) {
    return new Outcome.Done(status, sku.tag(), json(sku, clock.millis()).mergeIn(more));
  }

  // ---- sales

  Future<Outcome> put(NewSale wanted) {
    return sales
        .put(wanted)
        .compose(
            result ->
                result instanceof SaleLedger.PutResult.Done done
                    ? shown(done.sale(), done.created() ? 201 : 200, more(done))
                    : AdminCall.no(ChangeProblems.of(result, wanted)));
  }

  /** The fields that have changed, and the outcome for each of its SKUs. */
  private static JsonObject more(SaleLedger.PutResult.Done put) {
    JsonObject json = new JsonObject().put("changed", new JsonArray(put.changed()));
    JsonArray skus = new JsonArray();
    put.skus()
        .forEach(
            (skuId, joined) ->
                skus.add(
                    new JsonObject().put("sku_id", skuId).put("change", AdminCall.wordOf(joined))));
    return skus.isEmpty() ? json : json.put("skus", skus);
  }

  Future<Outcome> change(String saleId, StateChange change, IfMatch ifMatch) {
    return sales
        .change(saleId, change, ifMatch)
        .compose(
            result ->
                change == StateChange.END
                    ? begun(result, SkuState.ENDED)
                    : result instanceof SaleLedger.ChangeResult.Done done
                        ? shown(done.sale(), 200, NOTHING_MORE)
                        : AdminCall.no(ChangeProblems.byName(result)));
  }

  /** Deletes a sale with its SKUs, some after the other until the time is over. */
  Future<Outcome> delete(String saleId) {
    return poll.until(
            poll.deadline(SHOWN_WITHIN),
            () -> sales.delete(saleId),
            result -> !(result instanceof SaleLedger.DeleteResult.Working))
        .map(
            result ->
                result instanceof SaleLedger.DeleteResult.Done
                    ? AdminCall.ok(new JsonObject().put("sale_id", saleId))
                    : new Outcome.No(ChangeProblems.of(result)));
  }

  /** Asks for the orders of the sale to be moved to the archive. */
  Future<Outcome> archive(String saleId, IfMatch ifMatch) {
    return sales.archive(saleId, ifMatch).compose(result -> begun(result, SkuState.ARCHIVED));
  }

  /**
   * An end takes as long as the last order takes to be paid, and an archive as long as its orders
   * are many, so that is not waited for.
   */
  private Future<Outcome> begun(SaleLedger.ChangeResult result, SkuState last) {
    if (!(result instanceof SaleLedger.ChangeResult.Done done)) {
      return AdminCall.no(ChangeProblems.byName(result));
    }
    Sale sale = done.sale();
    if (sale.state().compareTo(last) >= 0) {
      return Future.succeededFuture(done(sale, 200, true, NOTHING_MORE));
    }
    return takenOver(sale.saleId(), poll.deadline(SHOWN_WITHIN))
        // It is recorded, whatever cannot be done now.
        .otherwise(false)
        .map(begun -> done(sale, 200, false, NOTHING_MORE));
  }

  private Future<Outcome> shown(Sale sale, int status, JsonObject more) {
    Deadline deadline = poll.deadline(SHOWN_WITHIN);
    return takenOver(sale.saleId(), deadline)
        .compose(all -> all ? allShown(sale.saleId(), deadline) : Future.succeededFuture(false))
        // It is recorded, whatever cannot be read now.
        .otherwise(false)
        .map(shown -> done(sale, status, shown, more));
  }

  /** Whether all SKUs have taken over the sale; false if the time was over before. */
  private Future<Boolean> takenOver(String saleId, Deadline deadline) {
    AtomicBoolean more = new AtomicBoolean(true);
    return AsyncLoop.whileTrue(
            () ->
                poll.isOver(deadline)
                    ? Future.succeededFuture(false)
                    : sales.takeOver(saleId).onSuccess(more::set))
        .map(stopped -> !more.get());
  }

  /**
   * Whether Redis shows all SKUs of the sale; false if the time was over before. It does not look
   * again at SKUs that it has seen once.
   */
  private Future<Boolean> allShown(String saleId, Deadline deadline) {
    AtomicLong shownTo = new AtomicLong();
    return poll.until(deadline, () -> pagesShown(saleId, shownTo, deadline), all -> all);
  }

  /** Goes through pages that are shown; whether they are the rest. */
  private Future<Boolean> pagesShown(String saleId, AtomicLong shownTo, Deadline deadline) {
    AtomicBoolean all = new AtomicBoolean();
    return AsyncLoop.whileTrue(
            () ->
                poll.isOver(deadline)
                    ? Future.succeededFuture(false)
                    : sales
                        .skusOf(saleId, shownTo.get(), PAGE)
                        .compose(
                            page ->
                                areShown(page)
                                    .map(
                                        shown -> {
                                          if (shown && !page.isEmpty()) {
                                            shownTo.set(page.get(page.size() - 1).skuId());
                                          }
                                          all.set(shown && page.size() < PAGE);
                                          return shown && !all.get();
                                        })))
        .map(stopped -> all.get());
  }

  private Future<Boolean> areShown(List<Sku> page) {
    return skus.bucketsOf(page.stream().map(Sku::skuId).toList())
        .compose(
            rows ->
                views.all(
                    rows.values().stream().flatMap(List::stream).toList(), BucketView::isShown));
  }

  /** 202 until Redis shows it, or it is done. */
  private Outcome done(Sale sale, int status, boolean shown, JsonObject more) {
    return new Outcome.Done(
        shown ? status : 202,
        sale.tag(),
        json(sale, clock.millis()).put("shown", shown).mergeIn(more));
  }

  // ---- owners

  /**
   * Asks each owner to compare its buckets with Redis now. Returns the reports by partition; those
   * that did not arrive in time are empty.
   */
  Future<Map<Integer, Optional<String>>> reconcile(int partitions) {
    return answers(
        IntStream.range(0, partitions).boxed().toList(),
        skus::requestReconcile,
        poll.deadline(REPORTED_WITHIN));
  }

  /** Creates a request for each of these, then waits for each answer. */
  private <T> Future<Map<T, Optional<String>>> answers(
      Collection<T> of, Function<T, Future<Long>> request, Deadline deadline) {
    Map<T, Long> requests = new LinkedHashMap<>();
    Map<T, Optional<String>> answers = new LinkedHashMap<>();
    return AsyncLoop.forEach(
            of, each -> request.apply(each).onSuccess(made -> requests.put(each, made)))
        .compose(
            asked ->
                AsyncLoop.forEach(
                    requests.entrySet(),
                    each ->
                        poll.until(
                                deadline, () -> skus.answer(each.getValue()), Optional::isPresent)
                            .onSuccess(answer -> answers.put(each.getKey(), answer))))
        .map(answers);
  }

  // ---- JSON

  /**
   * @param nowMs the time for which the state is given
   */
  static JsonObject json(Sku sku, long nowMs) {
    JsonObject json =
        new JsonObject()
            .put("sku_id", sku.skuId())
            .put("state", sku.at(nowMs).name())
            .put("total_stock", sku.stockNow())
            .put("buckets", sku.buckets())
            .put("mode", AdminCall.wordOf(sku.mode()))
            .put("payment_window_s", sku.settings().paymentWindowS())
            .put("limit_per_user", sku.settings().limitPerUser())
            .put("opens_at", Rfc3339.orNull(sku.settings().opensAtMs()))
            .put("closes_at", Rfc3339.orNull(sku.settings().closesAtMs()))
            .put("ticket", sku.settings().ticket());
    if (sku.name() != null) {
      json.put("name", sku.name());
    }
    String saleId = sku.membership().saleId();
    return saleId == null ? json : json.put("sale_id", saleId);
  }

  /**
   * @param nowMs the time for which the state is given
   */
  static JsonObject json(Sale sale, long nowMs) {
    SaleTerms terms = sale.terms();
    return new JsonObject()
        .put("sale_id", sale.saleId())
        .put("name", sale.name())
        .put("state", sale.at(nowMs).name())
        .put("opens_at", Rfc3339.orNull(terms.opensAtMs()))
        .put("closes_at", Rfc3339.orNull(terms.closesAtMs()))
        .put("payment_window_s", terms.paymentWindowS())
        .put("carts", sale.carts())
        .put("ticket", terms.ticket())
        .put("created_at", Rfc3339.orNull(sale.createdAtMs()));
  }
}
