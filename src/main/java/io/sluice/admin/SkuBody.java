package io.sluice.admin;

import io.sluice.ledger.Put;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.web.format.JsonFields;
import io.sluice.web.problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * Reads the body of {@code PUT /admin/skus/{sku_id}}. It notes which fields are missing: a new SKU
 * has the defaults of these, one that exists keeps its values.
 */
final class SkuBody {
  static final List<String> FIELDS =
      List.of(
          "total_stock",
          "payment_window_s",
          "limit_per_user",
          "buckets",
          "opens_at",
          "closes_at",
          "ticket",
          "mode",
          "allow_past");

  private long totalStock;
  private long paymentWindowS;
  private int limitPerUser;
  private int buckets = 1;
  private long opensAtMs;
  private long closesAtMs;
  private boolean ticket;
  private Sku.Mode mode = Sku.Mode.FAST;
  private boolean allowPast;

  private SkuBody(long defaultPaymentWindowS) {
    this.paymentWindowS = defaultPaymentWindowS;
  }

  /**
   * @param ifMatch what must exist
   */
  static NewSku read(long skuId, Buffer body, long defaultPaymentWindowS, IfMatch ifMatch) {
    SkuBody sku = new SkuBody(defaultPaymentWindowS);
    try (JsonFields fields = JsonFields.of(body, FIELDS)) {
      for (String name = fields.next(); name != null; name = fields.next()) {
        sku.read(name, fields);
      }
      return sku.checked(skuId, new Put(fields.missing(), ifMatch, sku.allowPast));
    }
  }

  private void read(String name, JsonFields fields) {
    switch (name) {
      case "total_stock" -> totalStock = fields.wholeNumber(0, Limits.TOTAL_STOCK_MAX);
      case "payment_window_s" ->
          paymentWindowS = fields.wholeNumber(0, Limits.PAYMENT_WINDOW_S_MAX);
      case "limit_per_user" ->
          limitPerUser = Math.toIntExact(fields.wholeNumber(0, Limits.LIMIT_PER_USER_MAX));
      case "buckets" -> buckets = Math.toIntExact(fields.wholeNumber(1, Limits.BUCKETS_MAX));
      case "opens_at" -> opensAtMs = fields.momentOrNull();
      case "closes_at" -> closesAtMs = fields.momentOrNull();
      case "ticket" -> ticket = fields.flag();
      case "mode" -> mode = ModeWord.read(fields);
      case "allow_past" -> allowPast = fields.flag();
      default -> throw fields.unknown();
    }
  }

  private NewSku checked(long skuId, Put put) {
    if (closesAtMs != 0 && opensAtMs != 0 && closesAtMs <= opensAtMs) {
      throw new BadInputException("closes_at", "Expected closes_at after opens_at, but it is not");
    }
    return new NewSku(
        skuId,
        totalStock,
        buckets,
        mode,
        new SkuSettings(paymentWindowS, limitPerUser, opensAtMs, closesAtMs, ticket),
        put);
  }
}
