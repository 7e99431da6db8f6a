package io.sluice.admin;

import io.sluice.async.Poll;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.stock.Stock;
import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
import io.sluice.web.Input;
import io.sluice.web.format.Parameters;
import io.sluice.web.problem.BadInputException;
import io.sluice.web.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;

/** The operators' calls for sales. */
final class SaleAdminRoutes {
  private static final String SALES = "/admin/sales";
  private static final String SALE = SALES + "/:sale_id";
  private static final Input PAGE = Input.query("after", "limit");
  private static final int PAGE_DEFAULT = 100;
  private static final int PAGE_MAX = SaleLedger.SKUS_PAGE_MAX;

  private final SaleOperations operations;
  private final SaleViews views;
  private final InstantSource clock;
  private final int defaultPaymentWindowS;
  private final boolean takesTickets;
  private final Guard operators;

  /**
   * @param endAfter the time from a sale's closes_at to its end; zero if it does not end by itself
   * @param takesTickets whether there is a key to verify tickets with
   */
  SaleAdminRoutes(
      SaleLedger sales,
      SkuLedger skus,
      Stock stock,
      Poll poll,
      InstantSource clock,
      int defaultPaymentWindowS,
      Duration endAfter,
      boolean takesTickets,
      Guard operators) {
    this.operations = new SaleOperations(sales, skus, stock, poll);
    this.views = new SaleViews(sales, skus, endAfter.toMillis());
    this.clock = clock;
    this.defaultPaymentWindowS = defaultPaymentWindowS;
    this.takesTickets = takesTickets;
    this.operators = operators;
  }

  List<Endpoint> endpoints() {
    List<Endpoint> all = new ArrayList<>();
    all.add(call(HttpMethod.GET, SALES, "admin_sales", PAGE, this::list));
    all.add(call(HttpMethod.GET, SALE, "admin_sale", PAGE, this::show));
    all.add(
        call(
            HttpMethod.PUT,
            SALE,
            "admin_put_sale",
            Input.largeBody(SaleBody.FIELDS).withIfMatch(),
            this::put));
    for (StateChange change : StateChange.values()) {
      String name = change.name().toLowerCase(Locale.ROOT);
      all.add(act(name, (saleId, ifMatch) -> operations.change(saleId, change, ifMatch)));
    }
    all.add(act("archive", operations::archive));
    return all;
  }

  private Endpoint call(
      HttpMethod method, String path, String name, Input input, Endpoint.Call call) {
    return new Endpoint(method, path, name, operators, input, call);
  }

  private Endpoint act(String name, BiFunction<String, IfMatch, Future<SaleOutcome>> act) {
    return call(
        HttpMethod.POST,
        SALE + "/" + name,
        "admin_" + name + "_sale",
        Input.NONE.withIfMatch(),
        exchange -> {
          IfMatch ifMatch = Parameters.ifMatch(exchange.request());
          saleId(exchange).ifPresent(saleId -> answer(exchange, act.apply(saleId, ifMatch)));
        });
  }

  /** The sale of the path. Empty if it cannot exist; that is answered here. */
  private static Optional<String> saleId(Exchange exchange) {
    String saleId = exchange.pathParam("sale_id");
    if (!Limits.isSaleId(saleId)) {
      exchange.answer(Problem.UNKNOWN_SALE);
      return Optional.empty();
    }
    return Optional.of(saleId);
  }

  private void put(Exchange exchange) {
    String saleId = SaleIdInput.ofNew(exchange.pathParam("sale_id"));
    NewSale sale =
        SaleBody.read(
            saleId, exchange.body(), defaultPaymentWindowS, Parameters.ifMatch(exchange.request()));
    if (sale.terms().ticket() && !takesTickets) {
      throw new BadInputException(
          "ticket",
          "Expected no tickets if no key verifies them, but got true: set auth.jwks_file,"
              + " auth.jwt_public_key or auth.jwt_secret");
    }
    answer(exchange, operations.put(sale));
  }

  private void answer(Exchange exchange, Future<SaleOutcome> outcome) {
    exchange.answer(
        outcome,
        result -> {
          if (result instanceof SaleOutcome.Done done) {
            exchange.tag(done.sale().tag());
            exchange.answer(done.status(), SaleJson.of(done, clock.millis()).toBuffer());
          } else if (result instanceof SaleOutcome.No no) {
            exchange.answer(no.problem());
          }
        });
  }

  private void list(Exchange exchange) {
    String after = Parameters.text(exchange.request(), "after");
    if (!after.isEmpty() && !Limits.isSaleId(after)) {
      throw new BadInputException("after", "Expected the id of a sale, but got another text");
    }
    exchange.answer(
        views.page(after, limit(exchange)), page -> exchange.answer(200, page.toBuffer()));
  }

  private void show(Exchange exchange) {
    Optional<String> saleId = saleId(exchange);
    if (saleId.isEmpty()) {
      return;
    }
    long after = Parameters.wholeNumber(exchange.request(), "after", 0, Long.MAX_VALUE, 0);
    exchange.answer(
        views.view(saleId.get(), after, limit(exchange)),
        view -> {
          if (view.isPresent()) {
            exchange.tag(view.get().sale().tag());
            exchange.answer(200, view.get().json().toBuffer());
          } else {
            exchange.answer(Problem.UNKNOWN_SALE);
          }
        });
  }

  private static int limit(Exchange exchange) {
    return Math.toIntExact(
        Parameters.wholeNumber(exchange.request(), "limit", 1, PAGE_MAX, PAGE_DEFAULT));
  }
}
