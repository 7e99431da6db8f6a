package io.sluice.admin;

import io.sluice.async.Poll;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sku;
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
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/** The operators' calls for SKUs. */
final class StockAdminRoutes {
  private static final String SKUS = "/admin/skus";
  private static final String SKU = SKUS + "/:sku_id";
  private static final int PAGE_DEFAULT = 100;
  private static final int PAGE_MAX = 1_000;

  private final SkuOperations operations;
  private final SkuViews views;
  private final InstantSource clock;
  private final int defaultPaymentWindowS;
  private final boolean takesTickets;
  private final Guard operators;

  /**
   * @param takesTickets whether there is a key to verify tickets with
   */
  StockAdminRoutes(
      SkuLedger ledger,
      Stock stock,
      Poll poll,
      InstantSource clock,
      int defaultPaymentWindowS,
      boolean takesTickets,
      Guard operators) {
    this.operations = new SkuOperations(ledger, stock, poll);
    this.views = new SkuViews(ledger, stock);
    this.clock = clock;
    this.defaultPaymentWindowS = defaultPaymentWindowS;
    this.takesTickets = takesTickets;
    this.operators = operators;
  }

  List<Endpoint> endpoints() {
    List<Endpoint> all = new ArrayList<>();
    all.add(call(HttpMethod.GET, SKUS, "admin_skus", Input.query("after", "limit"), this::list));
    all.add(call(HttpMethod.GET, SKU, "admin_sku", Input.NONE, this::show));
    all.add(
        call(
            HttpMethod.PUT, SKU, "admin_put", Input.body(SkuBody.FIELDS).withIfMatch(), this::put));
    all.add(
        call(
            HttpMethod.POST,
            SKU + "/restock",
            "admin_restock",
            Input.body(RestockBody.FIELDS).withIfMatch(),
            this::restock));
    for (StateChange change : StateChange.values()) {
      String name = change.name().toLowerCase(Locale.ROOT);
      all.add(
          act(
              name,
              Input.NONE.withIfMatch(),
              (skuId, ifMatch) -> operations.change(skuId, change, ifMatch)));
    }
    all.add(act("rebuild", Input.NONE, (skuId, nothing) -> operations.rebuild(skuId)));
    all.add(act("archive", Input.NONE, (skuId, nothing) -> operations.archive(skuId)));
    return all;
  }

  private Endpoint call(
      HttpMethod method, String path, String name, Input input, Endpoint.Call call) {
    return new Endpoint(method, path, name, operators, input, call);
  }

  private Endpoint act(
      String name, Input input, BiFunction<Long, IfMatch, Future<SkuOutcome>> act) {
    return call(
        HttpMethod.POST,
        SKU + "/" + name,
        "admin_" + name,
        input,
        exchange -> {
          IfMatch ifMatch = Parameters.ifMatch(exchange.request());
          OptionalLong skuId = skuId(exchange);
          if (skuId.isPresent()) {
            answer(exchange, act.apply(skuId.getAsLong(), ifMatch));
          }
        });
  }

  /** The SKU of the path. Empty if it cannot exist; that is answered here. */
  private static OptionalLong skuId(Exchange exchange) {
    OptionalLong skuId = Parameters.skuId(exchange.pathParam("sku_id"));
    if (skuId.isEmpty()) {
      exchange.answer(Problem.UNKNOWN_SKU);
    }
    return skuId;
  }

  private void put(Exchange exchange) {
    OptionalLong skuId = Parameters.skuId(exchange.pathParam("sku_id"));
    if (skuId.isEmpty() || skuId.getAsLong() > Limits.NEW_SKU_ID_MAX) {
      throw new BadInputException(
          "sku_id",
          "Expected a whole number in 1..%d, but got another".formatted(Limits.NEW_SKU_ID_MAX));
    }
    NewSku sku =
        SkuBody.read(
            skuId.getAsLong(),
            exchange.body(),
            defaultPaymentWindowS,
            Parameters.ifMatch(exchange.request()));
    if (sku.settings().ticket() && !takesTickets) {
      throw new BadInputException(
          "ticket",
          "Expected no tickets if no key verifies them, but got true: set auth.jwks_file,"
              + " auth.jwt_public_key or auth.jwt_secret");
    }
    answer(exchange, operations.put(sku));
  }

  private void restock(Exchange exchange) {
    IfMatch ifMatch = Parameters.ifMatch(exchange.request());
    RestockBody restock = RestockBody.read(exchange.body());
    OptionalLong skuId = skuId(exchange);
    if (skuId.isPresent()) {
      answer(
          exchange,
          operations.restock(skuId.getAsLong(), restock.restockId(), restock.qty(), ifMatch));
    }
  }

  private void answer(Exchange exchange, Future<SkuOutcome> outcome) {
    exchange.answer(
        outcome,
        result -> {
          if (result instanceof SkuOutcome.Done done) {
            answer(exchange, 200, done.sku(), SkuJson.of(done.sku(), clock.millis()));
          } else if (result instanceof SkuOutcome.Put put) {
            JsonObject json = SkuJson.of(put.sku(), clock.millis());
            json.put("changed", new JsonArray(put.changed()));
            answer(exchange, put.created() ? 201 : 200, put.sku(), json);
          } else if (result instanceof SkuOutcome.Later later) {
            answer(exchange, 202, later.sku(), SkuJson.of(later.sku(), clock.millis()));
          } else if (result instanceof SkuOutcome.No no) {
            exchange.answer(no.problem());
          }
        });
  }

  private static void answer(Exchange exchange, int status, Sku sku, JsonObject json) {
    exchange.tag(sku.tag());
    exchange.answer(status, json.toBuffer());
  }

  private void list(Exchange exchange) {
    long after = Parameters.wholeNumber(exchange.request(), "after", 0, Long.MAX_VALUE, 0);
    long limit = Parameters.wholeNumber(exchange.request(), "limit", 1, PAGE_MAX, PAGE_DEFAULT);
    exchange.answer(
        views.page(after, Math.toIntExact(limit)),
        page -> {
          JsonArray skus = new JsonArray();
          page.skus().forEach(sku -> skus.add(sku.json(clock.millis())));
          exchange.answer(
              200,
              new JsonObject().put("skus", skus).put("next_after", page.nextAfter()).toBuffer());
        });
  }

  private void show(Exchange exchange) {
    OptionalLong skuId = skuId(exchange);
    if (skuId.isEmpty()) {
      return;
    }
    exchange.answer(
        views.view(skuId.getAsLong()),
        view -> {
          if (view.isPresent()) {
            answer(exchange, 200, view.get().sku(), view.get().json(clock.millis()));
          } else {
            exchange.answer(Problem.UNKNOWN_SKU);
          }
        });
  }
}
