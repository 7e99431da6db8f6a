package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class OrderJsonTest {
  private static final OrderToken TOKEN =
      OrderToken.parse("1001.3.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
  private static final Order RESERVED =
      Order.reserved(Grants.of(TOKEN, "alice", 2, 41, 1, 1795248000123L, 1795248300123L));

  @Test
  void shouldShowEveryFieldWhenThereIsNoReason() {
    // when
    String json = OrderJson.of(RESERVED).toString();

    // then
    assertThat(json)
        .isEqualTo(
            "{\"order_token\":\"1001.3.AAAAAAAAAAAAAAAAAAAAAA\",\"sku_id\":1001,\"qty\":2,\"seq\":41,"
                + "\"status\":\"RESERVED\",\"reason\":null,\"pay_before\":\"2026-11-21T08:05:00.123Z\","
                + "\"created_at\":\"2026-11-21T08:00:00.123Z\",\"updated_at\":\"2026-11-21T08:00:00.123Z\"}");
  }

  @Test
  void shouldShowTheReferenceWhenThereIsOne() {
    // given
    Order referred =
        Order.reserved(Grants.of(TOKEN, "alice", 2, 41, 1, 1_000, 2_000, 0, "cart \"7\\"));

    // when
    JsonObject json = new JsonObject(OrderJson.of(referred));

    // then
    assertThat(json.getString("reference")).isEqualTo("cart \"7\\");
  }

  @Test
  void shouldShowTheReasonWhenThereIsOne() {
    // given
    Order canceled = RESERVED.changed(OrderStatus.CANCELED, Reason.TIMEOUT, 1795248300999L);

    // when
    String json = OrderJson.of(canceled).toString();

    // then
    assertThat(json)
        .contains("\"status\":\"CANCELED\",\"reason\":\"TIMEOUT\"")
        .contains("\"updated_at\":\"2026-11-21T08:05:00.999Z\"}");
  }
}
