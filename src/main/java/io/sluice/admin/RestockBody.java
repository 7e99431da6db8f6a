package io.sluice.admin;

import io.sluice.model.Limits;
import io.sluice.web.format.JsonFields;
import io.sluice.web.problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** The validated body of a restock; a negative quantity takes units back. */
record RestockBody(String restockId, long qty) {
  static final List<String> FIELDS = List.of("restock_id", "qty");

  static RestockBody read(Buffer body) {
    String restockId = "";
    long qty = 0;
    try (JsonFields fields = JsonFields.of(body, FIELDS)) {
      for (String name = fields.next(); name != null; name = fields.next()) {
        switch (name) {
          case "restock_id" -> restockId = restockId(fields.text());
          case "qty" -> qty = fields.wholeNumber(-Limits.TOTAL_STOCK_MAX, Limits.TOTAL_STOCK_MAX);
          default -> throw fields.unknown();
        }
      }
      fields.require("restock_id", "qty");
    }
    if (qty == 0) {
      throw new BadInputException("qty", "Expected a quantity that changes something, but got 0");
    }
    return new RestockBody(restockId, qty);
  }

  private static String restockId(String text) {
    if (!Limits.isRestockId(text)) {
      throw new BadInputException(
          "restock_id",
          "Expected 1 to "
              + Limits.RESTOCK_ID_MAX
              + " characters of A-Z, a-z, 0-9 and _.:@-, but got another");
    }
    return text;
  }
}
