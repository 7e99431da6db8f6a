package io.sluice.admin;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.web.format.Rfc3339;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The JSON of a sale for operators. */
final class SaleJson {
  private SaleJson() {}

  /**
   * @param nowMs the time for which the state is given
   */
  static JsonObject of(Sale sale, long nowMs) {
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

  /** The answer to a change. */
  static JsonObject of(SaleOutcome.Done done, long nowMs) {
    JsonObject json = of(done.sale(), nowMs).put("shown", done.shown());
    done.put()
        .ifPresent(
            put -> {
              json.put("changed", new JsonArray(put.changed()));
              if (!put.skus().isEmpty()) {
                json.put("skus", joined(put.skus()));
              }
            });
    return json;
  }

  /** The outcome of a PUT for its SKUs. */
  private static JsonArray joined(Map<Long, Joined> skus) {
    JsonArray all = new JsonArray();
    skus.forEach(
        (skuId, joined) ->
            all.add(
                new JsonObject()
                    .put("sku_id", skuId)
                    .put("change", joined.name().toLowerCase(Locale.ROOT))));
    return all;
  }

  /** What a waiting room needs to let in as many as can be served, and not before. */
  static JsonObject pace(Sale sale, long nowMs, List<StateTotals> totals) {
    SaleTerms terms = sale.terms();
    SkuState state = sale.at(nowMs);
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

  /** Units of all SKUs. */
  static JsonObject totals(List<StateTotals> totals) {
    return new JsonObject()
        .put("allotted", sum(totals, StateTotals::allotted))
        .put("held", sum(totals, StateTotals::held))
        .put("sold", sum(totals, StateTotals::sold))
        .put("available", available(totals));
  }

  private static long available(List<StateTotals> totals) {
    return sum(totals, one -> one.allotted() - one.held() - one.sold());
  }

  static long sum(List<StateTotals> totals, ToLongFunction<StateTotals> value) {
    return totals.stream().mapToLong(value).sum();
  }

  /** The reasons why a sale that ends, or is archived, waits; empty for any other. */
  static JsonArray waits(Sale sale, List<StateTotals> totals) {
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

  /**
   * When the sale begins to end by itself; null if it does not, or has begun.
   *
   * @param endAfterMs the time from its closes_at on; 0 if sales do not end by themselves
   */
  static @Nullable String endsAt(Sale sale, long nowMs, long endAfterMs) {
    SkuState state = sale.at(nowMs);
    boolean ends = endAfterMs > 0 && sale.terms().closesAtMs() != 0;
    return !ends || state == SkuState.FROZEN || state.isEnding()
        ? null
        : Rfc3339.orNull(sale.terms().closesAtMs() + endAfterMs);
  }

  /** How many SKUs are in each state that any is in. */
  static JsonObject states(Sale sale, long nowMs, List<StateTotals> totals) {
    Map<SkuState, Long> byState = new EnumMap<>(SkuState.class);
    for (StateTotals one : totals) {
      SkuState now = one.stored().at(nowMs, sale.terms().opensAtMs(), sale.terms().closesAtMs());
      byState.merge(now, one.skus(), Long::sum);
    }
    JsonObject json = new JsonObject();
    byState.forEach((state, count) -> json.put(state.name(), count));
    return json;
  }

  /**
   * A SKU of the sale with its units.
   *
   * @param buckets of one that is in no later sale
   */
  static JsonObject sku(Member member, List<BucketRow> buckets, long nowMs) {
    Sku sku = member.sku();
    boolean isCurrent = member.isCurrent();
    long allotted = isCurrent ? buckets.stream().mapToLong(BucketRow::total).sum() : sku.stockNow();
    long held = buckets.stream().mapToLong(BucketRow::held).sum();
    long sold = isCurrent ? buckets.stream().mapToLong(BucketRow::soldNow).sum() : member.sold();
    return new JsonObject()
        .put("sku_id", sku.skuId())
        .put(
            "state",
            sku.state().at(nowMs, sku.settings().opensAtMs(), sku.settings().closesAtMs()).name())
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
