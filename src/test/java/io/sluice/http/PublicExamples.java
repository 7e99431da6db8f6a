package io.sluice.http;

import static io.sluice.http.PublicPortFixture.BODY;

import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.grant.PlacedOrder;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.sluice.model.Refusal;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sales;
import io.sluice.model.SkuState;
import io.sluice.openapi.ContractFile;
import io.sluice.openapi.ExampleRows;
import io.sluice.order.OrderAnswer;
import io.sluice.order.OwnOrders.OwnPage;
import io.sluice.order.SaleLevels.SaleLevel;
import io.sluice.order.SkuLevels.Level;
import io.sluice.order.SkuLevels.SkuLevel;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How the examples of the public port's contract are brought about. */
final class PublicExamples {
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;
  private static final String SKU = "/v1/skus/1001";
  private static final String SALE = "/v1/sales/phones-12";
  private static final String[] ALICE = {"X-User-Id", "alice"};
  private static final long OPENED_MS = 1795248000000L;
  private static final SkuLevel PLENTY =
      new SkuLevel(1001, "Phone 12, black", SkuState.OPEN, Level.PLENTY, OPENED_MS, 0);

  private final ContractFile contract;
  private final PublicPortFixture fixture;
  private final HttpProbe probe;

  /**
   * @param fixture a port with {@link PublicPortFixture#TOKEN_BACK_OFFICE}
   */
  PublicExamples(ContractFile contract, PublicPortFixture fixture) {
    this.contract = contract;
    this.fixture = fixture;
    this.probe = fixture.probe;
  }

  /** How each example is brought about. */
  ExampleRows rows() {
    ExampleRows rows = new ExampleRows(contract);
    placing(rows);
    refusals(rows);
    badRequests(rows);
    orders(rows);
    ShopExamples.add(rows, fixture);
    skus(rows);
    strangers(rows);
    LimitedExamples.add(rows);
    failures(rows);
    return rows;
  }

  // ---- placing orders

  private void placing(ExampleRows rows) {
    rows.row("placeOrder 201 reserved", this::place);
    rows.row(
        "placeOrder 200 pending",
        () -> placed(new PlacedOrder.Accepted(FakeOrders.PENDING, false)));
    rows.row(
        "placeOrder 201 cart",
        () -> {
          fixture.orders.placed =
              Future.succeededFuture(new PlacedOrder.Accepted(FakeOrders.CART, true));
          return order("{\"lines\":[{\"sku_id\":1001,\"qty\":1},{\"sku_id\":1002,\"qty\":2}]}");
        });
    rows.row(
        "placeOrder 422 not-together",
        () -> {
          String detail =
              contract.example("placeOrder 422 not-together").value().getString("detail");
          return placed(
              new PlacedOrder.Refused(Refusal.NOT_TOGETHER, detail, 0)
                  .ofLine(FakeOrders.SECOND_SKU));
        });
  }

  private void refusals(ExampleRows rows) {
    Stream.of(
            "404 unknown-sku",
            "409 sold-out",
            "409 limit-reached",
            "409 not-open",
            "409 order-ended",
            "409 key-mismatch",
            "503 busy",
            "503 unavailable",
            "425 too-early")
        .forEach(
            answer -> rows.row("placeOrder " + answer, () -> refused("placeOrder " + answer, 30)));
    rows.row(
        "placeOrder 403 ticket-required",
        () -> {
          fixture.orders.sku = FakeOrders.sku(true);
          return place();
        });
  }

  private void badRequests(ExampleRows rows) {
    rows.row("placeOrder 400 bad-request", () -> order(BODY.replace("\"qty\":1", "\"qty\":0")));
    rows.row("placeOrder 413 content-too-large", () -> order(" ".repeat(16 * 1024 + 1)));
    rows.row(
        "placeOrder 415 unsupported-media-type",
        () -> probe.send("POST", "/v1/orders", BodyPublishers.ofString(BODY), ALICE));
    rows.row("getOrder 400 bad-request", () -> probe.get(ORDER + "?wait=31", ALICE));
    rows.row(
        "cancelOrder 400 bad-request", () -> probe.post(ORDER + "/cancel", "X-User-Id", "a b"));
  }

  private Answer place() {
    return order(BODY);
  }

  private Answer order(String body) {
    return fixture.order(body, "alice", "Idempotency-Key", "k1");
  }

  private Answer placed(PlacedOrder placed) {
    fixture.orders.placed = Future.succeededFuture(placed);
    return place();
  }

  /** The texts of refusals belong to what is behind the port, so they are those of the example. */
  private Answer refused(String key, int retryAfterS) {
    JsonObject example = contract.example(key).value();
    String problem = key.substring(key.lastIndexOf(' ') + 1);
    Refusal refusal =
        Stream.of(Refusal.values())
            .filter(each -> each.problem().equals(problem))
            .findFirst()
            .orElseThrow();
    long opensAtMs = example.containsKey("opens_at") ? OPENED_MS : 0;
    if (example.containsKey("open_orders")) {
      fixture.orders.open = Future.succeededFuture(List.of(FakeOrders.TOKEN));
    }
    return placed(
        new PlacedOrder.Refused(refusal, example.getString("detail"), retryAfterS)
            .opening(opensAtMs));
  }

  // ---- existing orders

  private void orders(ExampleRows rows) {
    rows.row("getOrder 200 pending", () -> probe.get(ORDER, ALICE));
    rows.row(
        "getOrder 200 timed-out",
        () -> {
          fixture.orders.found =
              Future.succeededFuture(
                  new OrderAnswer.Known(
                      FakeOrders.PENDING.changed(
                          OrderStatus.CANCELED, Reason.TIMEOUT, 1795248300999L)));
          return probe.get(ORDER, ALICE);
        });
    rows.row(
        "listOwnOrders 200 one",
        () ->
            own(
                Future.succeededFuture(
                    Optional.of(new OwnPage(List.of(FakeOrders.PENDING), Optional.empty())))));
    rows.row("listOwnOrders 400 bad-request", () -> own(Future.succeededFuture(Optional.empty())));
    rows.row("listOwnOrders 401 unauthorized", () -> probe.get("/v1/orders"));
    rows.row("listOwnOrders 500 internal", () -> own(null));
    rows.row("listOwnOrders 503 busy", () -> own(Future.failedFuture(new QueueFullException(1))));
    rows.row("listOwnOrders 503 unavailable", () -> own(Future.failedFuture("planted")));
    rows.row("getProblem 404 not-found", () -> probe.get("/problems/none"));
    rows.row("getOrder 404 unknown-order", () -> probe.get("/v1/orders/none", ALICE));
  }

  private Answer own(Future<Optional<OwnPage>> page) {
    fixture.orders.owned = page;
    return probe.get("/v1/orders", ALICE);
  }

  // ---- SKUs

  private void skus(ExampleRows rows) {
    rows.row("getSku 200 plenty", () -> sku(Future.succeededFuture(Optional.of(PLENTY))));
    rows.row("getSku 404 unknown-sku", () -> probe.get(SKU));
    SaleTerms terms = new SaleTerms(OPENED_MS, 0, 300, false);
    Sale phones = Sales.of("phones-12", "Singles' day, phones", terms, SkuState.SCHEDULED);
    SaleLevel open = new SaleLevel(phones, SkuState.OPEN, List.of(PLENTY), null);
    rows.row("getSale 200 open", () -> sale(Future.succeededFuture(Optional.of(open))));
    rows.row("getSale 400 bad-request", () -> probe.get(SALE + "?limit=101"));
    rows.row("getSale 404 unknown-sale", () -> probe.get(SALE));
  }

  // ---- who may not, or not now

  private void strangers(ExampleRows rows) {
    rows.row("placeOrder 401 unauthorized", () -> probe.json("POST", "/v1/orders", BODY));
    rows.row("getOrder 401 unauthorized", () -> probe.get(ORDER));
  }

  private void failures(ExampleRows rows) {
    rows.row(
        "placeOrder 500 internal",
        () -> {
          fixture.orders.placed = Future.failedFuture(new IllegalStateException("planted"));
          return place();
        });
    rows.row("getOrder 500 internal", () -> found(Future.failedFuture("planted"), ""));
    rows.row("getOrder 503 busy", () -> found(notNow(true), ""));
    rows.row("getOrder 503 unavailable", () -> found(notNow(false), "?wait=1"));
    failuresOfSkus(rows);
  }

  private void failuresOfSkus(ExampleRows rows) {
    rows.row("getSku 500 internal", () -> sku(null));
    rows.row("getSku 503 unavailable", () -> sku(Future.failedFuture("planted")));
    rows.row("getSku 503 busy", () -> sku(Future.failedFuture(new QueueFullException(1))));
    rows.row("getSale 500 internal", () -> sale(null));
    rows.row("getSale 503 unavailable", () -> sale(Future.failedFuture("planted")));
    rows.row("getSale 503 busy", () -> sale(Future.failedFuture(new QueueFullException(1))));
  }

  private Answer sku(Future<Optional<SkuLevel>> level) {
    fixture.level = level;
    return probe.get(SKU);
  }

  private Answer sale(Future<Optional<SaleLevel>> level) {
    fixture.saleLevel = level;
    return probe.get(SALE);
  }

  private static Future<OrderAnswer> notNow(boolean busy) {
    return Future.succeededFuture(new OrderAnswer.NotNow(busy));
  }

  private Answer found(Future<OrderAnswer> answer, String query) {
    fixture.orders.found = answer;
    return probe.get(ORDER + query, ALICE);
  }
}
