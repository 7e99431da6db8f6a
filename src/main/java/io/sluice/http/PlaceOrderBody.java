package io.sluice.http;

import io.sluice.model.Limits;
import io.sluice.web.JsonFields;
import io.vertx.core.buffer.Buffer;

/** The body of {@code POST /v1/orders}, checked. */
record PlaceOrderBody(long skuId, int qty) {

  static PlaceOrderBody read(Buffer body) {
    long skuId = 0;
    int qty = 0;
    try (JsonFields fields = JsonFields.of(body)) {
      for (String name = fields.next(); name != null; name = fields.next()) {
        switch (name) {
          case "sku_id" -> skuId = fields.wholeNumber(1, Long.MAX_VALUE);
          case "qty" -> qty = Math.toIntExact(fields.wholeNumber(1, Limits.QTY_MAX));
          default -> throw fields.unknown();
        }
      }
      fields.require("sku_id", "qty");
    }
    return new PlaceOrderBody(skuId, qty);
  }
}
