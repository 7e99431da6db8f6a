package io.sluice.admin;

import io.sluice.ledger.Put;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.web.format.JsonFields;
import io.sluice.web.problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the body of {@code PUT /admin/sales/{sale_id}}. It notes which fields are missing: a new
 * sale has the defaults of these, one that exists keeps its values.
 */
final class SaleBody {
  static final List<String> FIELDS =
      List.of(
          "name",
          "opens_at",
          "closes_at",
          "payment_window_s",
          "carts",
          "ticket",
          "skus",
          "allow_past");
  private static final List<String> SKU_FIELDS =
      List.of(
          "sku_id",
          "total_stock",
          "buckets",
          "limit_per_user",
          "low_percent",
          "last_percent",
          "mode");
  private static final int PERCENT_MAX = 100;

  private String name = "";
  private long opensAtMs;
  private long closesAtMs;
  private long paymentWindowS;
  private boolean carts;
  private boolean ticket;
  private List<SaleSku> skus = List.of();
  private boolean allowPast;

  private SaleBody(long defaultPaymentWindowS) {
    this.paymentWindowS = defaultPaymentWindowS;
  }

  /**
   * @param ifMatch what must exist
   */
  static NewSale read(String saleId, Buffer body, long defaultPaymentWindowS, IfMatch ifMatch) {
    SaleBody sale = new SaleBody(defaultPaymentWindowS);
    try (JsonFields fields = JsonFields.of(body, FIELDS)) {
      for (String field = fields.next(); field != null; field = fields.next()) {
        sale.read(field, fields);
      }
      return sale.checked(saleId, new Put(fields.missing(), ifMatch, sale.allowPast));
    }
  }

  private void read(String field, JsonFields fields) {
    switch (field) {
      case "name" -> name = name(fields);
      case "opens_at" -> opensAtMs = fields.momentOrNull();
      case "closes_at" -> closesAtMs = fields.momentOrNull();
      case "payment_window_s" ->
          paymentWindowS = fields.wholeNumber(0, Limits.PAYMENT_WINDOW_S_MAX);
      case "carts" -> carts = fields.flag();
      case "ticket" -> ticket = fields.flag();
      case "skus" -> skus = fields.objects(Limits.SALE_PUT_SKUS_MAX, SKU_FIELDS, SaleBody::sku);
      case "allow_past" -> allowPast = fields.flag();
      default -> throw fields.unknown();
    }
  }

  private static String name(JsonFields fields) {
    String text = fields.text();
    if (!Limits.isSaleName(text)) {
      throw fields.wrong(
          "Expected 1 to %d characters without control characters, but got another text"
              .formatted(Limits.SALE_NAME_MAX));
    }
    return text;
  }

  private static SaleSku sku(JsonFields fields) {
    long skuId = 0;
    long totalStock = 0;
    int buckets = 1;
    int limitPerUser = 0;
    int lowPercent = Watermarks.DEFAULT.lowPercent();
    int lastPercent = Watermarks.DEFAULT.lastPercent();
    Sku.Mode mode = Sku.Mode.FAST;
    for (String field = fields.next(); field != null; field = fields.next()) {
      switch (field) {
        case "sku_id" -> skuId = fields.wholeNumber(1, Limits.NEW_SKU_ID_MAX);
        case "total_stock" -> totalStock = fields.wholeNumber(0, Limits.TOTAL_STOCK_MAX);
        case "buckets" -> buckets = number(fields, 1, Limits.BUCKETS_MAX);
        case "limit_per_user" -> limitPerUser = number(fields, 0, Limits.LIMIT_PER_USER_MAX);
        case "low_percent" -> lowPercent = number(fields, 1, PERCENT_MAX);
        case "last_percent" -> lastPercent = number(fields, 0, PERCENT_MAX);
        case "mode" -> mode = ModeWord.read(fields);
        default -> throw fields.unknown();
      }
    }
    fields.require("sku_id");
    return new SaleSku(
        skuId,
        totalStock,
        buckets,
        limitPerUser,
        new Watermarks(lowPercent, lastPercent),
        mode,
        fields.missing());
  }

  private static int number(JsonFields fields, int min, int max) {
    return Math.toIntExact(fields.wholeNumber(min, max));
  }

  private NewSale checked(String saleId, Put put) {
    if (closesAtMs != 0 && opensAtMs != 0 && closesAtMs <= opensAtMs) {
      throw new BadInputException("closes_at", "Expected closes_at after opens_at, but it is not");
    }
    Set<Long> ids = new HashSet<>();
    for (int i = 0; i < skus.size(); i++) {
      SaleSku sku = skus.get(i);
      if (!ids.add(sku.skuId())) {
        throw new BadInputException(
            "skus[%d].sku_id".formatted(i),
            "Expected each SKU once, but %d comes twice".formatted(sku.skuId()));
      }
    }
    return new NewSale(
        saleId,
        name,
        carts,
        new SaleTerms(opensAtMs, closesAtMs, paymentWindowS, ticket),
        skus,
        put);
  }
}
