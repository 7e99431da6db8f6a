package io.sluice.admin;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;
import static io.vertx.core.http.HttpMethod.PUT;

import io.sluice.admin.AdminCall.Outcome;
import io.sluice.admin.BucketViews.BucketView;
import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Audit;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sku;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The operators' calls for SKUs. */
record SkuAdminRoutes(
    SkuLedger ledger,
    BucketViews buckets,
    Operations operations,
    OperatorBodies bodies,
    InstantSource clock,
    Guard operators) {
  private static final String SKUS = "/admin/skus";
  private static final String SKU = SKUS + "/:sku_id";
  private static final Input CHANGE = Input.NONE.withIfMatch();
  private static final int PAGE_MAX = 1_000;

  /** A page ends with the SKU that reaches this number of buckets. */
  private static final int BUCKETS_A_PAGE = 512;

  List<Endpoint> endpoints() {
    Input page = Input.query("after", "limit");
    Input restock = Input.body(OperatorBodies.RESTOCK).withIfMatch();
    Input put = Input.body(OperatorBodies.SKU).withIfMatch();
    List<Endpoint> all = new ArrayList<>();
    all.add(AdminCall.of(GET, SKUS, "admin_skus", operators, page, this::list));
    all.add(AdminCall.of(GET, SKU, "admin_sku", operators, Input.NONE, this::show));
    all.add(AdminCall.of(PUT, SKU, "admin_put", operators, put, this::put));
    all.add(
        AdminCall.of(
            DELETE,
            SKU,
            "admin_delete",
            operators,
            Input.NONE,
            exchange -> ofSku(exchange, operations::delete)));
    all.add(
        AdminCall.of(POST, SKU + "/restock", "admin_restock", operators, restock, this::restock));
    for (StateChange change : StateChange.values()) {
      String name = AdminCall.wordOf(change);
      all.add(act(name, CHANGE, (skuId, ifMatch) -> operations.change(skuId, change, ifMatch)));
    }
    all.add(act("rebuild", Input.NONE, (skuId, nothing) -> operations.rebuild(skuId)));
    all.add(act("archive", Input.NONE, (skuId, nothing) -> operations.archive(skuId)));
    return all;
  }

  private Endpoint act(String name, Input input, BiFunction<Long, IfMatch, Future<Outcome>> act) {
    return AdminCall.of(
        POST,
        SKU + "/" + name,
        "admin_" + name,
        operators,
        input,
        exchange -> {
          IfMatch ifMatch = Parameters.ifMatch(exchange.request());
          return ofSku(exchange, skuId -> act.apply(skuId, ifMatch));
        });
  }

  /** Calls with the SKU of the path, if it can exist. */
  private static Future<Outcome> ofSku(Exchange exchange, LongFunction<Future<Outcome>> call) {
    OptionalLong skuId = Parameters.skuId(exchange.pathParam("sku_id"));
    return skuId.isPresent() ? call.apply(skuId.getAsLong()) : AdminCall.no(Problem.UNKNOWN_SKU);
  }

  private Future<Outcome> put(Exchange exchange) {
    OptionalLong skuId = Parameters.skuId(exchange.pathParam("sku_id"));
    if (skuId.isEmpty() || skuId.getAsLong() > Limits.NEW_SKU_ID_MAX) {
      throw new BadInputException(
          "sku_id",
          "Expected a whole number in 1..%d, but got another".formatted(Limits.NEW_SKU_ID_MAX));
    }
    return operations.put(
        bodies.sku(skuId.getAsLong(), exchange.body(), Parameters.ifMatch(exchange.request())));
  }

  private Future<Outcome> restock(Exchange exchange) {
    IfMatch ifMatch = Parameters.ifMatch(exchange.request());
    OperatorBodies.Restock restock = OperatorBodies.restock(exchange.body());
    return ofSku(exchange, skuId -> operations.restock(skuId, restock, ifMatch));
  }

  // ---- reads

  /** SKUs in id order, without their audits. */
  private Future<Outcome> list(Exchange exchange) {
    long after = Parameters.wholeNumber(exchange.request(), "after", 0, Long.MAX_VALUE, 0);
    int limit = AdminCall.limit(exchange, PAGE_MAX);
    return ledger
        .skus(after, limit)
        .compose(skus -> shown(skus).map(shown -> AdminCall.ok(page(skus, shown, limit))));
  }

  private static JsonObject page(List<Sku> skus, JsonArray shown, int limit) {
    boolean more = shown.size() == limit || shown.size() < skus.size();
    return new JsonObject()
        .put("skus", shown)
        .put("next_after", more ? (Long) skus.get(shown.size() - 1).skuId() : null);
  }

  private Future<JsonArray> shown(List<Sku> skus) {
    JsonArray shown = new JsonArray();
    AtomicInteger bucketsSeen = new AtomicInteger();
    return AsyncLoop.whileTrue(
            () -> {
              if (shown.size() == skus.size() || bucketsSeen.get() >= BUCKETS_A_PAGE) {
                return Future.succeededFuture(false);
              }
              Sku sku = skus.get(shown.size());
              bucketsSeen.addAndGet(sku.buckets());
              return view(sku, null).onSuccess(shown::add).map(true);
            })
        .map(shown);
  }

  private Future<Outcome> show(Exchange exchange) {
    return ofSku(
        exchange,
        skuId ->
            ledger
                .sku(skuId)
                .compose(
                    sku -> sku.isEmpty() ? AdminCall.no(Problem.UNKNOWN_SKU) : seen(sku.get())));
  }

  private Future<Outcome> seen(Sku sku) {
    return ledger
        .audit(sku.skuId())
        .otherwise(Optional.empty())
        .compose(audit -> view(sku, audit.orElse(null)))
        .map(json -> new Outcome.Done(200, sku.tag(), json));
  }

  // ---- JSON

  /**
   * The SKU with its buckets, and the sums of its append-only rows.
   *
   * @param audit null if it was not requested, or could not be read
   */
  private Future<JsonObject> view(Sku sku, @Nullable Audit audit) {
    return ledger
        .bucketsOf(sku.skuId())
        .compose(rows -> buckets.of(rows, BucketView.UNBOOKED_MAX))
        .map(
            views ->
                Operations.json(sku, clock.millis())
                    .put("per_bucket", new JsonArray(views.stream().map(BucketView::json).toList()))
                    .put("totals", totals(views))
                    .put("audit", audit == null ? null : json(audit)));
  }

  private static JsonObject totals(List<BucketView> buckets) {
    return new JsonObject()
        .put("allotted", sum(buckets, bucket -> bucket.ledger().allotted()))
        .put("held", sum(buckets, bucket -> bucket.ledger().held()))
        .put("sold", sum(buckets, bucket -> bucket.ledger().sold()))
        .put("available", sum(buckets, bucket -> bucket.ledger().free()))
        .put("in_flight", sumIfAllTell(buckets, BucketView::inFlight))
        .put("drift", sumIfAllTell(buckets, BucketView::drift));
  }

  private static long sum(List<BucketView> buckets, ToLongFunction<BucketView> value) {
    return buckets.stream().mapToLong(value).sum();
  }

  private static @Nullable Long sumIfAllTell(
      List<BucketView> buckets, Function<BucketView, OptionalLong> value) {
    return buckets.stream().map(value).allMatch(OptionalLong::isPresent)
        ? (Long) sum(buckets, bucket -> value.apply(bucket).getAsLong())
        : null;
  }

  private static JsonObject json(Audit audit) {
    return new JsonObject()
        .put("total", audit.total())
        .put("held", audit.held())
        .put("sold", audit.sold())
        .put("available", audit.available())
        .put("agrees", audit.agrees());
  }
}
