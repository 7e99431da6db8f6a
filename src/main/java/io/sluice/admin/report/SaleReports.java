package io.sluice.admin.report;

import io.sluice.admin.report.SaleReport.Audited;
import io.sluice.admin.report.SaleReport.Count;
import io.sluice.admin.report.SaleReport.Draft;
import io.sluice.admin.report.SaleReport.Period;
import io.sluice.admin.report.SaleReport.RequestPoint;
import io.sluice.admin.report.SaleReport.Requests;
import io.sluice.admin.report.SaleReport.SkuLine;
import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Audit;
import io.sluice.ledger.History;
import io.sluice.ledger.History.Incident;
import io.sluice.ledger.History.Interval;
import io.sluice.ledger.History.Kind;
import io.sluice.ledger.History.Rest;
import io.sluice.ledger.History.Slice;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.Limits;
import io.sluice.model.Sale;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.sluice.web.Rfc3339;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The reports of sales: the call that answers with one, and how it is read. That is done in bounded
 * slices one after the other: a sale that is still running goes on meanwhile, so its report is
 * complete only after its end.
 */
public final class SaleReports {
  /** How many SKUs are looked at again, each in one snapshot, if their rows do not add up. */
  private static final int AUDITS_MAX = 10;

  /** An instance counts 10 s before it writes, and may have to wait for the ledger. */
  private static final long AROUND_MS = 60_000;

  /** Reports of so many sales are made at once; each asks the ledger one thing at a time. */
  private static final int SALES_MAX = 2;

  private static final int MS_PER_S = 1_000;

  private final SaleLedger sales;
  private final SkuLedger skus;
  private final History history;
  private final Map<String, Future<Optional<SaleReport>>> underWay = new HashMap<>();

  public SaleReports(SaleLedger sales, SkuLedger skus, History history) {
    this.sales = sales;
    this.skus = skus;
    this.history = history;
  }

  /** The call for the report of a sale. A request for one that is being made gets that. */
  public Endpoint endpoint(Guard operators) {
    return new Endpoint(
        HttpMethod.GET,
        "/admin/sales/:sale_id/report",
        "admin_sale_report",
        operators,
        Input.query("format"),
        this::report);
  }

  private void report(Exchange exchange) {
    boolean asPage = asPage(exchange.request());
    String saleId = exchange.pathParam("sale_id");
    if (!Limits.isSaleId(saleId)) {
      exchange.answer(Problem.UNKNOWN_SALE);
      return;
    }
    if (!underWay.containsKey(saleId) && underWay.size() >= SALES_MAX) {
      exchange.answer(Problem.OVERLOADED);
      return;
    }
    exchange.answer(
        shared(saleId),
        found -> {
          if (found.isEmpty()) {
            exchange.answer(Problem.UNKNOWN_SALE);
          } else if (asPage) {
            ReportPage.STYLE.send(exchange, new ReportPage(found.get()).written(), "no-store");
          } else {
            exchange.answer(200, json(found.get()).toBuffer());
          }
        });
  }

  private Future<Optional<SaleReport>> shared(String saleId) {
    Future<Optional<SaleReport>> made = underWay.get(saleId);
    if (made == null) {
      made = read(saleId);
      underWay.put(saleId, made);
      made.onComplete(ended -> underWay.remove(saleId));
    }
    return made;
  }

  /** The parameter decides, else the header: browsers ask for HTML. */
  private static boolean asPage(HttpServerRequest request) {
    String format = request.getParam("format");
    if (format == null) {
      String accept = request.getHeader(HttpHeaders.ACCEPT);
      return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/html");
    }
    return switch (format) {
      case "html" -> true;
      case "json" -> false;
      default ->
          throw new BadInputException("format", "Expected json or html, but got another word");
    };
  }

  // ---- reading

  /** The report of a sale; empty if there is none. */
  private Future<Optional<SaleReport>> read(String saleId) {
    return sales
        .sale(saleId)
        .compose(
            seen ->
                seen.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : new Reading(new Draft(seen.get())).all().map(Optional::of));
  }

  /** One report. */
  private final class Reading {
    private final Draft draft;
    private final List<Long> differing = new ArrayList<>();
    private long reached;
    private @Nullable Rest rest;
    private @Nullable Interval lastInterval;
    private long unclear;

    Reading(Draft draft) {
      this.draft = draft;
    }

    Future<SaleReport> all() {
      return AsyncLoop.whileTrue(this::grantsOfPage)
          .compose(
              granted -> {
                reached = 0;
                return AsyncLoop.whileTrue(this::endsOfPage);
              })
          .compose(ended -> audit())
          .compose(audited -> AsyncLoop.whileTrue(this::nextIntervals))
          .compose(counted -> finish());
    }

    /** First all grants: they tell when the sale was. */
    private Future<Boolean> grantsOfPage() {
      return sales
          .members(draft.saleId(), reached, History.SKUS_MAX)
          .compose(
              page -> {
                if (page.isEmpty()) {
                  return Future.succeededFuture(false);
                }
                List<Long> ids = page.stream().map(member -> member.sku().skuId()).toList();
                reached = ids.get(ids.size() - 1);
                draft.begin(page);
                return slices(
                        ids,
                        (left, intervalMs) -> history.granted(left, intervalMs, History.SLICE_MAX))
                    .map(page.size() == History.SKUS_MAX);
              });
    }

    private Future<Boolean> endsOfPage() {
      List<Long> ids = draft.skusAfter(reached, History.SKUS_MAX);
      if (ids.isEmpty()) {
        return Future.succeededFuture(false);
      }
      reached = ids.get(ids.size() - 1);
      return slices(ids, (left, intervalMs) -> history.ended(left, intervalMs, History.SLICE_MAX))
          .compose(read -> skus.bucketsOf(ids))
          .onSuccess(draft::end)
          .map(true);
    }

    private Future<Void> slices(List<Long> ids, BiFunction<Rest, Long, Future<Slice>> slice) {
      rest = Rest.of(ids);
      return AsyncLoop.whileTrue(
          () -> {
            Rest left = rest;
            if (left == null) {
              return Future.succeededFuture(false);
            }
            return slice
                .apply(left, draft.intervalMs())
                .map(
                    found -> {
                      draft.add(found.groups());
                      rest = found.rest().orElse(null);
                      return true;
                    });
          });
    }

    /** Numbers that look wrong in slices may be right in one snapshot. */
    private Future<Void> audit() {
      List<Long> disagreeing = draft.disagreeing();
      unclear = Math.max(0, disagreeing.size() - AUDITS_MAX);
      return AsyncLoop.forEach(
          disagreeing.stream().limit(AUDITS_MAX).toList(),
          skuId ->
              skus.audit(skuId)
                  .onSuccess(
                      audit -> {
                        if (!audit.map(Audit::agrees).orElse(true)) {
                          differing.add(skuId);
                        }
                      }));
    }

    private Future<Boolean> nextIntervals() {
      Interval last = lastInterval;
      return history
          .intervals(
              draft.saleId(),
              last == null ? 0 : last.beganMs(),
              last == null ? "" : last.instanceId())
          .map(
              found -> {
                draft.addIntervals(found);
                if (found.size() < History.ROWS_MAX) {
                  return false;
                }
                lastInterval = found.get(found.size() - 1);
                return true;
              });
    }

    private Future<SaleReport> finish() {
      Requests requests = draft.requests();
      return draft
          .finish(requests, List.of(), differing, unclear)
          .period()
          .map(
              period ->
                  history.incidents(period.fromMs() - AROUND_MS, period.untilMs() + AROUND_MS))
          .orElse(Future.succeededFuture(List.of()))
          .map(incidents -> draft.finish(requests, incidents, differing, unclear));
    }
  }

  // ---- JSON

  private static JsonObject json(SaleReport report) {
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
        .put("timeline", array(report.timeline().toPoints(), SaleReports::point))
        .put("time_to_pay", waits(report.waits()))
        .put("requests_interval_s", report.requests().intervalMs() / MS_PER_S)
        .put("requests", array(report.requests().points(), SaleReports::point))
        .put("gaps", array(report.requests().gaps(), SaleReports::gap))
        .put("refused", new JsonObject(new TreeMap<>(report.requests().refused())))
        .put("grant_ms", times(report.requests().times()))
        .put("incidents", array(report.incidents(), SaleReports::incident))
        .put("audit", audit(report.audited()))
        .put("skus", array(report.skus(), SaleReports::sku));
  }

  private static <T> JsonArray array(List<T> items, Function<T, JsonObject> json) {
    return new JsonArray(items.stream().map(json).toList());
  }

  private static JsonObject units(SaleReport report) {
    return new JsonObject()
        .put("on_sale", report.sum(SkuLine::onSale))
        .put("sold", report.sum(SkuLine::sold))
        .put("held", report.sum(SkuLine::held));
  }

  /** A number for each kind of event. */
  private static JsonObject kinds(JsonObject json, ToLongFunction<Kind> orders) {
    for (Kind kind : Kind.values()) {
      json.put(kind.name().toLowerCase(Locale.ROOT), orders.applyAsLong(kind));
    }
    return json;
  }

  private static JsonObject counts(Map<Kind, Count> counts) {
    return kinds(new JsonObject(), kind -> counts.getOrDefault(kind, Count.NONE).orders());
  }

  private static JsonObject point(Timeline.Point point) {
    return kinds(new JsonObject().put("at", Rfc3339.orNull(point.atMs())), point::of);
  }

  private static JsonArray waits(List<Long> waits) {
    JsonArray json = new JsonArray();
    for (int i = 0; i < waits.size(); i++) {
      Long withinS =
          i < History.WAITS_MS.size() ? (Long) (History.WAITS_MS.get(i) / MS_PER_S) : null;
      json.add(new JsonObject().put("within_s", withinS).put("orders", waits.get(i)));
    }
    return json;
  }

  private static JsonObject point(RequestPoint point) {
    return new JsonObject()
        .put("at", Rfc3339.orNull(point.atMs()))
        .put("refused", new JsonObject(new TreeMap<>(point.refused())))
        .put("grant_ms", times(point.times()));
  }

  private static JsonObject gap(Period gap) {
    return new JsonObject()
        .put("from", Rfc3339.orNull(gap.fromMs()))
        .put("until", Rfc3339.orNull(gap.untilMs()));
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

  private static JsonObject incident(Incident one) {
    return new JsonObject()
        .put("at", Rfc3339.orNull(one.firstMs()))
        .put("last_at", Rfc3339.orNull(one.lastMs()))
        .put("instance", one.instanceId())
        .put("alarm", one.alarm())
        .put("text", one.text())
        .put("times", one.times());
  }

  private static JsonObject audit(Audited audited) {
    return new JsonObject()
        .put("clean", audited.isClean())
        .put("oversold", audited.oversold())
        .put("differing", new JsonArray(audited.differing()))
        .put("not_compared", audited.moving());
  }

  private static JsonObject sku(SkuLine line) {
    JsonObject json = new JsonObject().put("sku_id", line.skuId());
    if (line.name() != null) {
      json.put("name", line.name());
    }
    return json.put("on_sale", line.onSale())
        .put("sold", line.sold())
        .put("held", line.held())
        .put("granted", line.granted());
  }
}
