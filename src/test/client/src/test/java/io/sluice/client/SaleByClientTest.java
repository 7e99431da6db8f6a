package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.client.management.BlacklistApi;
import io.sluice.client.management.HealthApi;
import io.sluice.client.management.model.Lifted;
import io.sluice.client.management.model.PutBan;
import io.sluice.client.management.model.PutSku;
import io.sluice.client.management.model.SkuState;
import io.sluice.client.management.model.SkuView;
import io.sluice.client.management.model.WrittenBan;
import io.sluice.client.sale.ApiClient;
import io.sluice.client.sale.ApiException;
import io.sluice.client.sale.OrdersApi;
import io.sluice.client.sale.SkusApi;
import io.sluice.client.sale.model.Order;
import io.sluice.client.sale.model.OrderStatus;
import io.sluice.client.sale.model.Payment;
import io.sluice.client.sale.model.PlaceOrder;
import io.sluice.client.sale.model.Problem;
import io.sluice.client.sale.model.Reason;
import io.sluice.client.sale.model.SkuLevel;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A sale of three units, whose callers know no more of the service than the contracts say. */
class SaleByClientTest {
  private static final long SKU = Long.parseLong(System.getProperty("sku"));
  private static final long UNITS = 3;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int WAIT_S = 5;

  /** No If-Match. */
  private static final String ANY_VERSION = null;

  private final ApiClient alice = caller(request -> request.header("X-User-Id", "alice"));
  private final ApiClient bob = caller(request -> request.header("X-User-Id", "bob"));
  private final ApiClient office = caller(bearer("service.token"));
  private final io.sluice.client.management.ApiClient operator = operator();

  private static ApiClient caller(Consumer<HttpRequest.Builder> identity) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getProperty("url"));
    client.setRequestInterceptor(identity);
    return client;
  }

  private static io.sluice.client.management.ApiClient operator() {
    var client = new io.sluice.client.management.ApiClient();
    client.updateBaseUri(System.getProperty("admin"));
    client.setRequestInterceptor(bearer("admin.token"));
    return client;
  }

  /** Without a token, what calls from the machine itself are taken for. */
  private static Consumer<HttpRequest.Builder> bearer(String property) {
    String token = System.getProperty(property, "");
    return request -> {
      if (!token.isEmpty()) {
        request.header("Authorization", "Bearer " + token);
      }
    };
  }

  @Test
  void shouldSell() throws Exception {
    // given
    var desk = new io.sluice.client.management.SkusApi(operator);
    OrdersApi ofAlice = new OrdersApi(alice);
    OrdersApi ofBob = new OrdersApi(bob);
    assertThat(new HealthApi(operator).isReady().getReady()).isTrue();

    // when
    var opened = desk.putSku(SKU, new PutSku().totalStock(UNITS).limitPerUser(1), ANY_VERSION);
    Order placed = ofAlice.placeOrder(one(), "alice-1", null);
    Order again = ofAlice.placeOrder(one(), "alice-1", null);
    Order other = ofBob.placeOrder(one(), "bob-1", null);
    Order paid = paid(placed.getOrderToken());
    Order canceled = canceled(ofBob, other.getOrderToken());
    SkuLevel level = new SkusApi(alice).getSku(SKU);
    SkuView view = desk.getSku(SKU);

    // then
    assertThat(opened.getState()).isEqualTo(SkuState.OPEN);
    assertThat(opened.getOpensAt()).isNull();
    assertThat(placed.getStatus()).isIn(OrderStatus.RESERVED, OrderStatus.PENDING);
    assertThat(placed.getReason()).isNull();
    assertThat(placed.getPayBefore()).isAfter(placed.getCreatedAt());
    assertThat(again.getOrderToken()).isEqualTo(placed.getOrderToken());
    assertThat(paid.getOrderToken()).isEqualTo(placed.getOrderToken());
    assertThat(canceled.getReason()).isEqualTo(Reason.BUYER);
    assertThat(level.getState()).isEqualTo(SkuLevel.StateEnum.OPEN);
    assertThat(view.getTotals().getSold()).isEqualTo(1);
    assertThat(view.getAudit().getAgrees()).isTrue();
  }

  @Test
  void shouldTellWhatIsWrong() throws Exception {
    // given
    OrdersApi unit = new OrdersApi(alice);

    // when
    ApiException refused =
        catchThrowableOfType(
            ApiException.class, () -> unit.placeOrder(one().qty(0), "alice-2", null));
    ApiException unknown =
        catchThrowableOfType(ApiException.class, () -> unit.getOrder("no-token", null));
    var forged =
        catchThrowableOfType(
            io.sluice.client.management.ApiException.class,
            () ->
                new io.sluice.client.management.SkusApi(operator)
                    .putSku(SKU, new PutSku().totalStock(-1L), ANY_VERSION));

    // then
    Problem problem = problem(refused);
    assertThat(refused.getCode()).isEqualTo(400);
    assertThat(problem.getStatus()).isEqualTo(400);
    assertThat(problem.getType().getValue()).isEqualTo("/problems/bad-request");
    assertThat(problem.getField()).isEqualTo("qty");
    assertThat(problem.getDetail()).startsWith("Expected ");
    assertThat(problem(unknown).getType().getValue()).isEqualTo("/problems/unknown-order");
    assertThat(
            operator
                .getObjectMapper()
                .readValue(
                    forged.getResponseBody(), io.sluice.client.management.model.Problem.class)
                .getField())
        .isEqualTo("total_stock");
  }

  @Test
  void shouldReadWhatIsNull() throws Exception {
    // given
    BlacklistApi unit = new BlacklistApi(operator);

    // when
    WrittenBan ban = unit.banBuyer("mallory", ANY_VERSION, new PutBan().banS(600L));
    Lifted lifted = unit.liftBan("mallory", ANY_VERSION);

    // then
    assertThat(ban.getUntil()).isAfter(ban.getSince());
    assertThat(lifted.getUserId()).isEqualTo("mallory");
    assertThat(lifted.getUntil()).isNull();
  }

  private static PlaceOrder one() {
    return new PlaceOrder().skuId(SKU).qty(1);
  }

  private Problem problem(ApiException e) throws IOException {
    return alice.getObjectMapper().readValue(e.getResponseBody(), Problem.class);
  }

  private Order paid(String token) throws ApiException {
    OrdersApi unit = new OrdersApi(office);
    return settled(
        unit, unit.confirmOrder(token, new Payment().paymentRef("pay-1")), OrderStatus.CONFIRMED);
  }

  private static Order canceled(OrdersApi unit, String token) throws ApiException {
    return settled(unit, unit.cancelOrder(token), OrderStatus.CANCELED);
  }

  /** An answer may be a 202, with the order as it was. */
  private static Order settled(OrdersApi unit, Order answer, OrderStatus expected)
      throws ApiException {
    Instant end = Instant.now().plus(LIMIT);
    Order order = answer;
    while (order.getStatus() != expected && Instant.now().isBefore(end)) {
      order = unit.getOrder(order.getOrderToken(), WAIT_S);
    }
    assertThat(order.getStatus()).isEqualTo(expected);
    return order;
  }
}
