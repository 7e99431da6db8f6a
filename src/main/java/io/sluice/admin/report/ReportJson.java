package io.sluice.admin.report;

import io.sluice.admin.report.SaleReport.Audited;
import io.sluice.admin.report.SaleReport.Count;
import io.sluice.admin.report.SaleReport.Period;
import io.sluice.admin.report.SaleReport.RequestPoint;
import io.sluice.admin.report.SaleReport.SkuLine;
import io.sluice.ledger.SaleCounts.Incident;
import io.sluice.ledger.SaleHistory;
import io.sluice.ledger.SaleHistory.Kind;
import io.sluice.model.Sale;
import io.sluice.web.format.Rfc3339;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The JSON of a report. */
final class ReportJson {
  private static final int MS_PER_S = 1_000;

  private ReportJson() {}

  static JsonObject of(SaleReport report) {
    Sale sale = report.seen().sale();
    return new JsonObject()
        .put("sale_id", sale.saleId())
        .put("name", sale.name())
        .put("state", report.seen().state().name())
        .put("opens_at", Rfc3339.orNull(sale.terms().opensAtMs()))
        .put("closes_at", Rfc3339.orNull(sale.terms().closesAtMs()))
        .put("made_at", Rfc3339.orNull(report.seen().nowMs()))
        .put("units", units(report))
        .put("orders", counts(report.totals()))
        .put("later", counts(report.later()))
        .put("interval_s", report.timeline().intervalMs() / MS_PER_S)
        .put("timeline", timeline(report))
        .put("time_to_pay", waits(report.waits()))
        .put("requests_interval_s", report.requests().intervalMs() / MS_PER_S)
        .put("requests", requests(report.requests().points()))
        .put("gaps", gaps(report.requests().gaps()))
        .put("refused", map(report.requests().refused()))
        .put("grant_ms", times(report.requests().times()))
        .put("incidents", incidents(report.incidents()))
        .put("audit", audit(report.audited()))
        .put("skus", skus(report.skus()));
  }

  private static JsonObject units(SaleReport report) {
    long onSale = report.sum(SkuLine::onSale);
    return new JsonObject()
        .put("on_sale", onSale)
        .put("sold", report.sum(SkuLine::sold))
        .put("held", report.sum(SkuLine::held));
  }

  private static JsonObject counts(Map<Kind, Count> counts) {
    JsonObject json = new JsonObject();
    for (Kind kind : Kind.values()) {
      json.put(word(kind), counts.getOrDefault(kind, Count.NONE).orders());
    }
    return json;
  }

  private static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static JsonArray timeline(SaleReport report) {
    JsonArray points = new JsonArray();
    for (Timeline.Point point : report.timeline().toPoints()) {
      JsonObject json = new JsonObject().put("at", Rfc3339.orNull(point.atMs()));
      for (Kind kind : Kind.values()) {
        json.put(word(kind), point.of(kind));
      }
      points.add(json);
    }
    return points;
  }

  private static JsonArray waits(List<Long> waits) {
    JsonArray json = new JsonArray();
    for (int i = 0; i < waits.size(); i++) {
      Long withinS =
          i < SaleHistory.WAITS_MS.size() ? (Long) (SaleHistory.WAITS_MS.get(i) / MS_PER_S) : null;
      json.add(new JsonObject().put("within_s", withinS).put("orders", waits.get(i)));
    }
    return json;
  }

  private static JsonArray requests(List<RequestPoint> points) {
    JsonArray json = new JsonArray();
    for (RequestPoint point : points) {
      json.add(
          new JsonObject()
              .put("at", Rfc3339.orNull(point.atMs()))
              .put("refused", map(point.refused()))
              .put("grant_ms", times(point.times())));
    }
    return json;
  }

  private static JsonArray gaps(List<Period> gaps) {
    JsonArray json = new JsonArray();
    gaps.forEach(
        gap ->
            json.add(
                new JsonObject()
                    .put("from", Rfc3339.orNull(gap.fromMs()))
                    .put("until", Rfc3339.orNull(gap.untilMs()))));
    return json;
  }

  private static JsonObject map(Map<String, Long> counts) {
    JsonObject json = new JsonObject();
    new TreeMap<>(counts).forEach(json::put);
    return json;
  }

  private static JsonObject times(GrantTimes times) {
    return new JsonObject()
        .put("grants", times.count())
        .put("p50", orNull(times.percentile(50)))
        .put("p99", orNull(times.percentile(99)));
  }

  private static @Nullable Long orNull(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }

  private static JsonArray incidents(List<Incident> incidents) {
    JsonArray json = new JsonArray();
    for (Incident one : incidents) {
      json.add(
          new JsonObject()
              .put("at", Rfc3339.orNull(one.firstMs()))
              .put("last_at", Rfc3339.orNull(one.lastMs()))
              .put("instance", one.instanceId())
              .put("alarm", one.alarm())
              .put("text", one.text())
              .put("times", one.times()));
    }
    return json;
  }

  private static JsonObject audit(Audited audited) {
    return new JsonObject()
        .put("clean", audited.isClean())
        .put("oversold", audited.oversold())
        .put("differing", new JsonArray(audited.differing()))
        .put("not_compared", audited.moving());
  }

  private static JsonArray skus(List<SkuLine> lines) {
    JsonArray json = new JsonArray();
    for (SkuLine line : lines) {
      json.add(
          new JsonObject()
              .put("sku_id", line.skuId())
              .put("on_sale", line.onSale())
              .put("sold", line.sold())
              .put("held", line.held())
              .put("granted", line.granted()));
    }
    return json;
  }
}
