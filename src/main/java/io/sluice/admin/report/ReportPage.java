package io.sluice.admin.report;

import io.sluice.admin.report.Chart.Bar;
import io.sluice.admin.report.SaleReport.Audited;
import io.sluice.admin.report.SaleReport.Period;
import io.sluice.admin.report.SaleReport.Requests;
import io.sluice.admin.report.SaleReport.SkuLine;
import io.sluice.ledger.History;
import io.sluice.ledger.History.Incident;
import io.sluice.ledger.History.Kind;
import io.sluice.model.Sale;
import io.sluice.model.SkuState;
import io.sluice.web.HtmlPage;
import io.sluice.web.Markup;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The report as one page of HTML that loads nothing and runs nothing: it can be kept, sent and
 * printed.
 */
final class ReportPage {
  static final HtmlPage STYLE = new HtmlPage("/report/report.css");

  private static final int SKUS_SHOWN = 30;
  private static final int INCIDENTS_SHOWN = 100;
  private static final int ID_SHOWN = 8;

  private final SaleReport report;
  private final Markup html = new Markup();

  ReportPage(SaleReport report) {
    this.report = report;
  }

  Buffer written() {
    Sale sale = report.seen().sale();
    headline(sale);
    Optional<Period> period = report.period();
    if (period.isPresent()) {
      timeline(period.get());
      waits();
    }
    requests(period);
    incidents();
    skus();
    footer();
    return STYLE.of(title(sale) + ": report of the sale", html);
  }

  private void section(String tag, String title) {
    html.raw("<").raw(tag).raw(">\n").element("h2", title);
  }

  private void note(String text) {
    html.element("p class=\"note\"", text);
  }

  private static String title(Sale sale) {
    return sale.name().isBlank() ? sale.saleId() : sale.name();
  }

  private void headline(Sale sale) {
    html.raw("<header>\n").element("h1", title(sale));
    String when =
        report
            .period()
            .map(at -> Words.date(at.fromMs()) + " to " + Words.date(at.untilMs()) + " UTC")
            .orElse("nothing happened yet");
    html.element(
        "p class=\"soft\"",
        "Sale %s, %s, %s".formatted(sale.saleId(), report.seen().state().name(), when));
    long sold = report.sum(SkuLine::sold);
    long onSale = report.sum(SkuLine::onSale);
    html.element(
        "p class=\"result\"",
        "Sold %s of %s (%s)"
            .formatted(
                Words.number(sold),
                Words.counted(onSale, "unit", "units"),
                Words.percent(sold, onSale)));
    audit(report.audited());
    html.raw("<dl>\n");
    tile("Orders granted", report.total(Kind.GRANTED).orders());
    tile("Paid", report.total(Kind.PAID).orders());
    tile("Timed out", report.total(Kind.TIMED_OUT).orders());
    tile("Canceled", report.total(Kind.CANCELED).orders());
    tile("Refunds", report.total(Kind.REFUNDED).orders());
    tile("Refusals", report.requests().refusals());
    html.raw("</dl>\n");
    unfinished();
    html.raw("</header>\n");
  }

  private void tile(String name, long value) {
    html.raw("<div>").element("dt", name).element("dd", Words.number(value)).raw("</div>\n");
  }

  private void unfinished() {
    if (report.seen().state() == SkuState.OPEN) {
      note(
          "The sale is open: this is what happened until %s UTC, and it goes on."
              .formatted(Words.dateAndSeconds(report.seen().nowMs())));
    }
    long held = report.sum(SkuLine::held);
    if (held > 0) {
      note(Words.counted(held, "unit is", "units are") + " held by orders that may still be paid.");
    }
    long late = report.total(Kind.PAID_LATE).orders();
    if (late > 0) {
      note(
          Words.counted(late, "payment", "payments")
              + " came after the order had ended: refund these.");
    }
  }

  private void audit(Audited audited) {
    if (audited.isClean()) {
      html.element(
          "p class=\"good\"", "\u2713 Audit: nothing oversold, and all counters equal the rows.");
      return;
    }
    if (audited.oversold() > 0) {
      html.element(
          "p class=\"bad\"",
          "\u2717 Audit: " + Words.counted(audited.oversold(), "unit", "units") + " oversold.");
    }
    if (!audited.differing().isEmpty()) {
      html.element(
          "p class=\"bad\"",
          "\u2717 Audit: counters and rows differ of SKU "
              + String.join(", ", audited.differing().stream().map(String::valueOf).toList())
              + ".");
    }
    if (audited.moving() > 0) {
      note(
          "Audit: "
              + Words.counted(audited.moving(), "SKU was", "SKUs were")
              + " not compared, since orders changed meanwhile.");
    }
  }

  private void timeline(Period period) {
    String length = Words.length(report.timeline().intervalMs());
    section("section", "Orders over time");
    note("Orders per " + length + ". Each row has a scale of its own. Times are UTC.");
    html.append(Chart.timeline(report, period));
    long later = report.later().values().stream().mapToLong(SaleReport.Count::orders).sum();
    if (later > 0) {
      note(
          Words.counted(later, "refund or other change", "refunds and other changes")
              + " came after this time; they are counted above.");
    }
    html.raw("</section>\n");
  }

  private void waits() {
    List<Bar> bars = new ArrayList<>();
    long all = report.waits().stream().mapToLong(Long::longValue).sum();
    for (int i = 0; i < report.waits().size(); i++) {
      long orders = report.waits().get(i);
      if (orders > 0) {
        bars.add(new Bar(Words.wait(i), orders, Words.labeled(orders, all)));
      }
    }
    if (!bars.isEmpty()) {
      section("section", "From the grant to the payment");
      note("Paid orders by the time that the buyer took.");
      html.append(Chart.bars(bars, "f-paid", "Paid orders by time"));
      html.raw("</section>\n");
    }
  }

  private void requests(Optional<Period> period) {
    Requests requests = report.requests();
    section("section", "Refused, by reason");
    List<Bar> bars =
        requests.refused().entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .map(
                each ->
                    new Bar(
                        Words.refusal(each.getKey()),
                        each.getValue(),
                        Words.labeled(each.getValue(), requests.refusals())))
            .toList();
    if (bars.isEmpty()) {
      html.element("p", "No refusal was counted.");
    } else {
      note("Requests: a buyer who tries again is counted again.");
      html.append(Chart.bars(bars, "f-other", "Refused requests by reason"));
    }
    uncounted(requests);
    html.raw("</section>\n");
    if (period.isPresent() && requests.times().count() > 0) {
      latencies(requests, period.get());
    }
  }

  /** Instances that were killed took their last counters with them; the ledger has the orders. */
  private void uncounted(Requests requests) {
    long granted = report.total(Kind.GRANTED).orders();
    long counted = requests.times().count();
    if (counted < granted) {
      note(
          "Instances counted %s of %s grants, and as much of the refusals: they write what they count every 10 s, and what one has not written when it is killed is lost."
              .formatted(Words.number(counted), Words.number(granted)));
    }
  }

  private void latencies(Requests requests, Period period) {
    section("section", "Time to grant an order");
    note(
        "From the request to the durable grant, as the service saw it, per %s. In all: half within %s, 99 of 100 within %s."
            .formatted(
                Words.length(requests.intervalMs()),
                Words.within(requests.times(), 50),
                Words.within(requests.times(), 99)));
    if (requests.points().stream().anyMatch(point -> point.times().count() > 0)) {
      html.append(Chart.latencies(requests, period));
    }
    if (!requests.gaps().isEmpty()) {
      note(
          "Shaded: orders were granted, but their times were lost, as when an instance is killed."
              + " Refusals of that time are missing above.");
    }
    html.raw("</section>\n");
  }

  // ---- tables

  private void incidents() {
    List<Incident> all = report.incidents();
    section("section class=\"long\"", "Incidents");
    if (all.isEmpty()) {
      html.element("p", "No alarm was raised.").raw("</section>\n");
      return;
    }
    html.raw("<table><thead><tr>").element("th scope=\"col\"", "Time (UTC)");
    html.element("th scope=\"col\"", "Alarm").element("th scope=\"col\" class=\"n\"", "Times");
    html.raw("</tr></thead><tbody>\n");
    for (Incident one : all.subList(0, Math.min(INCIDENTS_SHOWN, all.size()))) {
      html.raw("<tr><td>");
      html.element("span class=\"whole\"", Words.format("yyyy-MM-dd", one.firstMs()));
      html.element("span class=\"whole\"", Words.format("HH:mm:ss", one.firstMs()));
      html.raw("</td>");
      html.raw("<td class=\"text\">").text(one.text());
      html.element("div class=\"note\"", "instance " + shortened(one.instanceId())).raw("</td>");
      html.element("td class=\"n\"", Words.number(one.times())).raw("</tr>\n");
    }
    html.raw("</tbody></table>\n");
    more(all.size(), INCIDENTS_SHOWN, all.size() >= History.ROWS_MAX);
    html.raw("</section>\n");
  }

  private static String shortened(String instanceId) {
    return instanceId.substring(0, Math.min(ID_SHOWN, instanceId.length()));
  }

  private void more(int all, int shown, boolean mayHaveMore) {
    if (all > shown) {
      note("And " + Words.number(all - shown) + (mayHaveMore ? " or more" : "") + " others.");
    }
  }

  private void skus() {
    List<SkuLine> all = report.skus();
    section("section class=\"long\"", "SKUs");
    html.raw("<table><thead><tr>").element("th scope=\"col\"", "SKU");
    for (String name : List.of("Units", "Sold", "Left", "Orders")) {
      html.element("th scope=\"col\" class=\"n\"", name);
    }
    html.raw("</tr></thead><tbody>\n");
    for (SkuLine line : all.subList(0, Math.min(SKUS_SHOWN, all.size()))) {
      html.raw("<tr>").element("td", line.skuId() + (line.name() == null ? "" : " " + line.name()));
      cell(line.onSale());
      html.element("td class=\"n\"", Words.labeled(line.sold(), line.onSale()));
      cell(Math.max(0, line.onSale() - line.sold() - line.held()));
      cell(line.granted());
      html.raw("</tr>\n");
    }
    html.raw("</tbody></table>\n");
    more(all.size(), SKUS_SHOWN, false);
    html.raw("</section>\n");
  }

  private void cell(long value) {
    html.element("td class=\"n\"", Words.number(value));
  }

  private void footer() {
    html.element(
        "footer",
        "Made by Sluice at "
            + Words.dateAndSeconds(report.seen().nowMs())
            + " UTC. Orders are from the ledger. Refusals and times are what instances have"
            + " counted; what one counted in its last seconds before it was killed is missing.");
  }

  // ---- its style, and the policy that allows it and nothing else
}
