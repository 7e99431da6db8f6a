package io.sluice.admin.report;

import io.sluice.model.Limits;
import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
import io.sluice.web.Input;
import io.sluice.web.problem.BadInputException;
import io.sluice.web.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The call for the report of a sale. A request for one that is being made gets that. */
public final class ReportRoute {
  /** Reports of so many sales are made at once; each asks the ledger one thing at a time. */
  private static final int SALES_MAX = 2;

  private static final CharSequence HTML = HttpHeaders.createOptimized("text/html; charset=utf-8");

  private final ReportReader reader;
  private final Guard operators;
  private final Map<String, Future<Optional<SaleReport>>> underWay = new HashMap<>();

  public ReportRoute(ReportReader reader, Guard operators) {
    this.reader = reader;
    this.operators = operators;
  }

  public Endpoint endpoint() {
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
        read(saleId),
        found -> {
          if (found.isEmpty()) {
            exchange.answer(Problem.UNKNOWN_SALE);
          } else if (asPage) {
            sendPage(exchange, found.get());
          } else {
            exchange.answer(200, ReportJson.of(found.get()).toBuffer());
          }
        });
  }

  private Future<Optional<SaleReport>> read(String saleId) {
    Future<Optional<SaleReport>> made = underWay.get(saleId);
    if (made == null) {
      Future<Optional<SaleReport>> begun = reader.read(saleId);
      underWay.put(saleId, begun);
      begun.onComplete(ended -> underWay.remove(saleId));
      made = begun;
    }
    return made;
  }

  private static void sendPage(Exchange exchange, SaleReport report) {
    exchange
        .request()
        .response()
        .putHeader("Content-Security-Policy", PageStyle.POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    exchange.answer(HTML, Buffer.buffer(ReportPage.of(report)));
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
}
