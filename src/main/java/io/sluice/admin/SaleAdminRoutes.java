package io.sluice.admin;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;
import static io.vertx.core.http.HttpMethod.PUT;

import io.sluice.admin.AdminCall.Outcome;
import io.sluice.admin.StandingEnds.EndWait;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.sluice.web.Rfc3339;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The operators' calls for sales.
 *
 * @param endAfter the time from a sale's closes_at to its end; zero if it does not end by itself
 */
record SaleAdminRoutes(
    SaleLedger sales,
    SkuLedger skus,
    Operations operations,
    OperatorBodies bodies,
    Duration endAfter,
    Guard operators) {
  private static final String SALES = "/admin/sales";
  private static final String SALE = SALES + "/:sale_id";
  private static final int PAGE_MAX = SaleLedger.SKUS_PAGE_MAX;

  List<Endpoint> endpoints() {
    Input page = Input.query("after", "limit");
    Input put = Input.largeBody(OperatorBodies.SALE).withIfMatch();
    List<Endpoint> all = new ArrayList<>();
    all.add(AdminCall.of(GET, SALES, "admin_sales", operators, page, this::list));
    all.add(AdminCall.of(GET, SALE, "admin_sale", operators, page, this::show));
    all.add(AdminCall.of(PUT, SALE, "admin_put_sale", operators, put, this::put));
    all.add(
        AdminCall.of(
            DELETE,
            SALE,
            "admin_delete_sale",
            operators,
            Input.NONE,
            exchange -> ofSale(exchange, operations::delete)));
    for (StateChange change : StateChange.values()) {
      String name = AdminCall.wordOf(change);
      all.add(act(name, (saleId, ifMatch) -> operations.change(saleId, change, ifMatch)));
    }
    all.add(act("archive", operations::archive));
    return all;
  }

  private Endpoint act(String name, BiFunction<String, IfMatch, Future<Outcome>> act) {
    return AdminCall.of(
        POST,
        SALE + "/" + name,
        "admin_" + name + "_sale",
        operators,
        Input.NONE.withIfMatch(),
        exchange -> {
          IfMatch ifMatch = Parameters.ifMatch(exchange.request());
          return ofSale(exchange, saleId -> act.apply(saleId, ifMatch));
        });
  }

  /** Calls with the sale of the path, if it can exist. */
  private static Future<Outcome> ofSale(Exchange exchange, Function<String, Future<Outcome>> call) {
    String saleId = exchange.pathParam("sale_id");
    return Limits.isSaleId(saleId) ? call.apply(saleId) : AdminCall.no(Problem.UNKNOWN_SALE);
  }

  private Future<Outcome> put(Exchange exchange) {
    String saleId = exchange.pathParam("sale_id");
    if (Limits.isDots(saleId)) {
      throw new BadInputException(
          "sale_id", "Expected an id that a path can name, but got " + saleId);
    }
    return operations.put(
        bodies.sale(
            AdminCall.saleId(saleId), exchange.body(), Parameters.ifMatch(exchange.request())));
  }

  // ---- reads

  private Future<Outcome> list(Exchange exchange) {
    String after = Parameters.given(exchange.request(), "after").orElse("");
    if (!after.isEmpty() && !Limits.isSaleId(after)) {
      throw new BadInputException("after", "Expected the id of a sale, but got another text");
    }
    int limit = AdminCall.limit(exchange, PAGE_MAX);
    return sales
        .sales(after, limit)
        .map(
            found ->
                AdminCall.ok(
                    new JsonObject()
                        .put(
                            "sales",
                            new JsonArray(
                                found.stream()
                                    .map(seen -> Operations.json(seen.sale(), seen.nowMs()))
                                    .toList()))
                        .put(
                            "next_after",
                            found.size() == limit ? found.get(limit - 1).sale().saleId() : null)));
  }

  private Future<Outcome> show(Exchange exchange) {
    return ofSale(
        exchange,
        saleId -> {
          long after = Parameters.wholeNumber(exchange.request(), "after", 0, Long.MAX_VALUE, 0);
          int limit = AdminCall.limit(exchange, PAGE_MAX);
          return sales
              .sale(saleId)
              .compose(
                  seen ->
                      seen.isEmpty()
                          ? AdminCall.no(Problem.UNKNOWN_SALE)
                          : page(seen.get(), after, limit));
        });
  }

  /** The sale with its totals, and a page of its SKUs. */
  private Future<Outcome> page(Seen seen, long afterSkuId, int limit) {
    String saleId = seen.sale().saleId();
    return sales
        .totals(saleId)
        .compose(
            totals ->
                sales
                    .members(saleId, afterSkuId, limit)
                    .compose(page -> json(page, seen.nowMs()))
                    .map(
                        page ->
                            json(seen, totals)
                                .put("skus", page)
                                .put(
                                    "next_after",
                                    page.size() == limit
                                        ? page.getJsonObject(limit - 1).getLong("sku_id")
                                        : null)))
        .map(json -> new Outcome.Done(200, seen.sale().tag(), json));
  }

  private Future<JsonArray> json(List<Member> page, long nowMs) {
    return skus.bucketsOf(
            page.stream().filter(Member::isCurrent).map(member -> member.sku().skuId()).toList())
        .map(
            rows ->
                new JsonArray(
                    page.stream()
                        .map(
                            member ->
                                json(
                                    member,
                                    rows.getOrDefault(member.sku().skuId(), List.of()),
                                    nowMs))
                        .toList()));
  }

  // ---- JSON

  private JsonObject json(Seen seen, List<StateTotals> totals) {
    Sale sale = seen.sale();
    return Operations.json(sale, seen.nowMs())
        .put("sku_count", sum(totals, StateTotals::skus))
        .put("behind", sum(totals, StateTotals::behind))
        .put("ends_at", endsAt(seen))
        .put("waits_for", waits(sale, totals))
        .put("states", states(seen, totals))
        .put("totals", totals(totals))
        .put("pace", pace(seen, totals));
  }

  /** When the sale begins to end by itself; null if it does not, or has begun. */
  private @Nullable String endsAt(Seen seen) {
    long closesAtMs = seen.sale().terms().closesAtMs();
    SkuState state = seen.state();
    boolean ends = !endAfter.isZero() && closesAtMs != 0;
    return !ends || state == SkuState.FROZEN || state.isEnding()
        ? null
        : Rfc3339.orNull(closesAtMs + endAfter.toMillis());
  }

  /** The reasons why a sale that ends, or is archived, waits; empty for any other. */
  private static JsonArray waits(Sale sale, List<StateTotals> totals) {
    JsonArray all = new JsonArray();
    if (EndWait.isUnfinished(sale)) {
      EndWait.all(sale, totals)
          .forEach(
              (wait, rest) ->
                  all.add(
                      new JsonObject()
                          .put("what", wait.word())
                          .put("skus", rest.skus())
                          .put("held", rest.held())));
    }
    return all;
  }

  /** How many SKUs are in each state that any is in. */
  private static JsonObject states(Seen seen, List<StateTotals> totals) {
    SaleTerms terms = seen.sale().terms();
    Map<SkuState, Long> byState = new EnumMap<>(SkuState.class);
    for (StateTotals one : totals) {
      SkuState now = one.stored().at(seen.nowMs(), terms.opensAtMs(), terms.closesAtMs());
      byState.merge(now, one.skus(), Long::sum);
    }
    JsonObject json = new JsonObject();
    byState.forEach((state, count) -> json.put(state.name(), count));
    return json;
  }

  /** Units of all SKUs. */
  private static JsonObject totals(List<StateTotals> totals) {
    return new JsonObject()
        .put("allotted", sum(totals, StateTotals::allotted))
        .put("held", sum(totals, StateTotals::held))
        .put("sold", sum(totals, StateTotals::sold))
        .put("available", available(totals));
  }

  private static long available(List<StateTotals> totals) {
    return sum(totals, one -> one.allotted() - one.held() - one.sold());
  }

  private static long sum(List<StateTotals> totals, ToLongFunction<StateTotals> value) {
    return totals.stream().mapToLong(value).sum();
  }

  /** What a waiting room needs to let in as many as can be served, and not before. */
  private static JsonObject pace(Seen seen, List<StateTotals> totals) {
    long nowMs = seen.nowMs();
    SaleTerms terms = seen.sale().terms();
    SkuState state = seen.state();
    return new JsonObject()
        .put("now", Rfc3339.orNull(nowMs))
        .put("sells", state == SkuState.OPEN)
        .put("opens_in_ms", state == SkuState.SCHEDULED ? (Long) (terms.opensAtMs() - nowMs) : null)
        .put(
            "closes_in_ms",
            state != SkuState.CLOSED && !state.isEnding() && terms.closesAtMs() != 0
                ? (Long) Math.max(0, terms.closesAtMs() - nowMs)
                : null)
        .put("available", available(totals))
        .put("held", sum(totals, StateTotals::held))
        .put("payment_window_s", terms.paymentWindowS());
  }

  /**
   * A SKU of the sale with its units.
   *
   * @param buckets of one that is in no later sale
   */
  private static JsonObject json(Member member, List<BucketRow> buckets, long nowMs) {
    Sku sku = member.sku();
    boolean isCurrent = member.isCurrent();
    long allotted = isCurrent ? buckets.stream().mapToLong(BucketRow::stock).sum() : sku.stockNow();
    long held = buckets.stream().mapToLong(BucketRow::held).sum();
    long sold = isCurrent ? buckets.stream().mapToLong(BucketRow::soldNow).sum() : member.sold();
    JsonObject json = new JsonObject().put("sku_id", sku.skuId());
    if (sku.name() != null) {
      json.put("name", sku.name());
    }
    return json.put("state", sku.at(nowMs).name())
        .put("buckets", sku.buckets())
        .put("limit_per_user", sku.settings().limitPerUser())
        .put("low_percent", sku.settings().marks().lowPercent())
        .put("last_percent", sku.settings().marks().lastPercent())
        .put("allotted", allotted)
        .put("held", held)
        .put("sold", sold)
        .put("available", allotted - held - sold);
  }
}
