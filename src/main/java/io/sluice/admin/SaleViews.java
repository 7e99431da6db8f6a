package io.sluice.admin;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.Sale;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads sales from the ledger. */
final class SaleViews {
  private final SaleLedger sales;
  private final SkuLedger skus;
  private final long endAfterMs;

  /**
   * @param endAfterMs the time from a sale's closes_at to its end; 0 if it does not end by itself
   */
  SaleViews(SaleLedger sales, SkuLedger skus, long endAfterMs) {
    this.sales = sales;
    this.skus = skus;
    this.endAfterMs = endAfterMs;
  }

  /** Up to {@code limit} sales after {@code afterSaleId}. */
  Future<JsonObject> page(String afterSaleId, int limit) {
    return sales
        .sales(afterSaleId, limit)
        .map(
            found -> {
              JsonArray all = new JsonArray();
              found.forEach(seen -> all.add(SaleJson.of(seen.sale(), seen.nowMs())));
              String last = found.size() == limit ? found.get(limit - 1).sale().saleId() : null;
              return new JsonObject().put("sales", all).put("next_after", last);
            });
  }

  /** A sale, and how it is shown. */
  record View(Sale sale, JsonObject json) {}

  /** The sale with its totals, and up to {@code limit} of its SKUs; empty if there is none. */
  Future<Optional<View>> view(String saleId, long afterSkuId, int limit) {
    return sales
        .sale(saleId)
        .compose(
            seen ->
                seen.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : sales
                        .totals(saleId)
                        .compose(totals -> view(seen.get(), totals, afterSkuId, limit))
                        .map(json -> Optional.of(new View(seen.get().sale(), json))));
  }

  private Future<JsonObject> view(Seen seen, List<StateTotals> totals, long afterSkuId, int limit) {
    return sales
        .members(seen.sale().saleId(), afterSkuId, limit)
        .compose(
            page ->
                skus.bucketsOf(
                        page.stream()
                            .filter(Member::isCurrent)
                            .map(member -> member.sku().skuId())
                            .toList())
                    .map(rows -> json(seen, totals, page, rows, limit)));
  }

  private JsonObject json(
      Seen seen,
      List<StateTotals> totals,
      List<Member> page,
      Map<Long, List<BucketRow>> rows,
      int limit) {
    JsonArray each = new JsonArray();
    page.forEach(
        member ->
            each.add(
                SaleJson.sku(
                    member, rows.getOrDefault(member.sku().skuId(), List.of()), seen.nowMs())));
    return SaleJson.of(seen.sale(), seen.nowMs())
        .put("sku_count", SaleJson.sum(totals, StateTotals::skus))
        .put("behind", SaleJson.sum(totals, StateTotals::behind))
        .put("ends_at", SaleJson.endsAt(seen.sale(), seen.nowMs(), endAfterMs))
        .put("waits_for", SaleJson.waits(seen.sale(), totals))
        .put("states", SaleJson.states(seen.sale(), seen.nowMs(), totals))
        .put("totals", SaleJson.totals(totals))
        .put("pace", SaleJson.pace(seen.sale(), seen.nowMs(), totals))
        .put("skus", each)
        .put("next_after", page.size() == limit ? (Long) page.get(limit - 1).sku().skuId() : null);
  }
}
