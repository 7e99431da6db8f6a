package io.sluice.admin.report;

import io.sluice.admin.report.SaleReport.SkuLine;
import io.sluice.ledger.SaleCounts;
import io.sluice.ledger.SaleCounts.Incident;
import java.util.List;

/** The tables of the page: incidents and SKUs. */
final class ReportTables {
  private static final int SKUS_SHOWN = 30;
  private static final int INCIDENTS_SHOWN = 100;
  private static final int ID_SHOWN = 8;

  private final SaleReport report;
  private final Markup html = new Markup();

  ReportTables(SaleReport report) {
    this.report = report;
  }

  Markup written() {
    incidents();
    skus();
    return html;
  }

  private void incidents() {
    List<Incident> all = report.incidents();
    html.raw("<section class=\"long\">\n").element("h2", "Incidents");
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
    more(all.size(), INCIDENTS_SHOWN, all.size() >= SaleCounts.ROWS_MAX);
    html.raw("</section>\n");
  }

  private static String shortened(String instanceId) {
    return instanceId.substring(0, Math.min(ID_SHOWN, instanceId.length()));
  }

  private void more(int all, int shown, boolean mayHaveMore) {
    if (all > shown) {
      html.element(
          "p class=\"note\"",
          "And " + Words.number(all - shown) + (mayHaveMore ? " or more" : "") + " others.");
    }
  }

  private void skus() {
    List<SkuLine> all = report.skus();
    html.raw("<section class=\"long\">\n").element("h2", "SKUs");
    html.raw("<table><thead><tr>").element("th scope=\"col\"", "SKU");
    for (String name : List.of("Units", "Sold", "Left", "Orders")) {
      html.element("th scope=\"col\" class=\"n\"", name);
    }
    html.raw("</tr></thead><tbody>\n");
    for (SkuLine line : all.subList(0, Math.min(SKUS_SHOWN, all.size()))) {
      html.raw("<tr>").element("td", String.valueOf(line.skuId()));
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
}
