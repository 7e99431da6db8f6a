package io.sluice.admin.sku;

import io.sluice.async.Poll;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.stock.StockStore;
import io.sluice.web.BadInputException;
import io.sluice.web.Exchange;
import io.sluice.web.OperatorCalls;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.RequestPipeline;
import io.sluice.web.RequestPipeline.Route;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** What operators may do with SKUs. */
public final class StockAdminRoutes {
  private static final String SKUS = "/admin/skus";
  private static final String SKU = SKUS + "/:sku_id";
  private static final int PAGE_DEFAULT = 100;
  private static final int PAGE_MAX = 1_000;

  private final SkuOperations operations;
  private final SkuViews views;
  private final InstantSource clock;
  private final int defaultPaymentWindowS;
  private final OperatorCalls operators;

  public StockAdminRoutes(
      SkuLedger ledger,
      StockStore stock,
      Poll poll,
      InstantSource clock,
      int defaultPaymentWindowS,
      OperatorCalls operators) {
    this.operations = new SkuOperations(ledger, stock, poll);
    this.views = new SkuViews(ledger, stock);
    this.clock = clock;
    this.defaultPaymentWindowS = defaultPaymentWindowS;
    this.operators = operators;
  }

  public void mount(Router router, RequestPipeline reception) {
    reception.mount(
        router,
        SKUS,
        new Route(HttpMethod.GET, "admin_skus", operators.bodiless((e, c) -> list(e))));
    reception.mount(
        router,
        SKU,
        new Route(HttpMethod.GET, "admin_sku", operators.bodiless(this::show)),
        new Route(HttpMethod.PUT, "admin_put", operators.guarded((e, c) -> put(e, c, reception))));
    reception.mount(
        router,
        SKU + "/restock",
        new Route(
            HttpMethod.POST,
            "admin_restock",
            operators.guarded((e, c) -> restock(e, c, reception))));
    for (StateChange change : StateChange.values()) {
      String name = change.name().toLowerCase(Locale.ROOT);
      act(router, reception, name, skuId -> operations.change(skuId, change));
    }
    act(router, reception, "rebuild", operations::rebuild);
  }

  private void act(
      Router router, RequestPipeline reception, String name, LongFunction<Future<SkuOutcome>> act) {
    RequestPipeline.Call call =
        (exchange, context) -> {
          OptionalLong skuId = skuId(exchange, context);
          if (skuId.isPresent()) {
            answer(exchange, act.apply(skuId.getAsLong()));
          }
        };
    reception.mount(
        router,
        SKU + "/" + name,
        new Route(HttpMethod.POST, "admin_" + name, operators.bodiless(call)));
  }

  /** The SKU of the path; empty where it is answered that there can be none. */
  private static OptionalLong skuId(Exchange exchange, RoutingContext context) {
    OptionalLong skuId = Parameters.skuId(context.pathParam("sku_id"));
    if (skuId.isEmpty()) {
      exchange.answer(Problem.UNKNOWN_SKU);
    }
    return skuId;
  }

  private void put(Exchange exchange, RoutingContext context, RequestPipeline reception) {
    reception.admitWithBody(
        exchange,
        body -> {
          long skuId =
              Parameters.skuId(context.pathParam("sku_id"))
                  .orElseThrow(
                      () ->
                          new BadInputException(
                              "sku_id",
                              "Expected a whole number in 1..%d, but got another"
                                  .formatted(Long.MAX_VALUE)));
          answer(exchange, operations.put(SkuBody.read(skuId, body, defaultPaymentWindowS)));
        });
  }

  private void restock(Exchange exchange, RoutingContext context, RequestPipeline reception) {
    reception.admitWithBody(
        exchange,
        body -> {
          RestockBody restock = RestockBody.read(body);
          OptionalLong skuId = skuId(exchange, context);
          if (skuId.isPresent()) {
            answer(
                exchange,
                operations.restock(skuId.getAsLong(), restock.restockId(), restock.qty()));
          }
        });
  }

  private void answer(Exchange exchange, Future<SkuOutcome> outcome) {
    exchange.answer(
        outcome,
        result -> {
          if (result instanceof SkuOutcome.Done done) {
            JsonObject json = SkuJson.of(done.sku(), clock.millis());
            exchange.answer(done.created() ? 201 : 200, json.toBuffer());
          } else if (result instanceof SkuOutcome.No no) {
            exchange.answer(no.problem());
          }
        });
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

  private void show(Exchange exchange, RoutingContext context) {
    OptionalLong skuId = skuId(exchange, context);
    if (skuId.isEmpty()) {
      return;
    }
    exchange.answer(
        views.view(skuId.getAsLong()),
        view -> {
          if (view.isPresent()) {
            exchange.answer(200, view.get().json(clock.millis()).toBuffer());
          } else {
            exchange.answer(Problem.UNKNOWN_SKU);
          }
        });
  }
}
