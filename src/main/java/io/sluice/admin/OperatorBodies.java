package io.sluice.admin;

import io.sluice.ledger.Put;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.web.JsonFields;
import io.sluice.web.Parameters;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of the operators' calls for SKUs and sales. A field means the same in each of
 * them. The body of a PUT notes which fields are missing: a subject that is new has the defaults of
 * these, one that exists keeps its values.
 *
 * @param paymentWindowS the default
 * @param takesTickets whether there is a key to verify tickets with
 */
record OperatorBodies(long paymentWindowS, boolean takesTickets) {
  static final List<String> SKU =
      List.of(
          "total_stock",
          "payment_window_s",
          "limit_per_user",
          "buckets",
          "opens_at",
          "closes_at",
          "ticket",
          "mode",
          "name",
          "allow_past");
  static final List<String> SALE =
      List.of(
          "name",
          "opens_at",
          "closes_at",
          "payment_window_s",
          "carts",
          "ticket",
          "skus",
          "allow_past");
  private static final List<String> SKU_OF_SALE =
      List.of(
          "sku_id",
          "total_stock",
          "buckets",
          "limit_per_user",
          "low_percent",
          "last_percent",
          "mode",
          "name");
  static final List<String> RESTOCK = List.of("restock_id", "qty");
  private static final int PERCENT_MAX = 100;

  /**
   * A restock.
   *
   * @param qty negative if it takes units back
   */
  record Restock(String restockId, long qty) {}

  /** The values of all fields: those that were read, and the defaults of the others. */
  private static final class Values {
    private final boolean ofSku;
    private final String[] required;
    private long skuId;
    private String name = "";
    private @Nullable String skuName;
    private long totalStock;
    private int buckets = 1;
    private int limitPerUser;
    private int lowPercent = Watermarks.DEFAULT.lowPercent();
    private int lastPercent = Watermarks.DEFAULT.lastPercent();
    private Sku.Mode mode = Sku.Mode.FAST;
    private long opensAtMs;
    private long closesAtMs;
    private long paymentWindowS;
    private boolean carts;
    private boolean ticket;
    private boolean allowPast;
    private List<SaleSku> skus = List.of();
    private String restockId = "";
    private long qty;

    /**
     * @param ofSku whether they are of a SKU, not of a sale
     */
    Values(boolean ofSku, String... required) {
      this.ofSku = ofSku;
      this.required = required;
    }

    /** Reads a whole body; returns the fields that are missing. */
    Set<String> read(Buffer body, List<String> accepted) {
      try (JsonFields fields = JsonFields.of(body, accepted)) {
        return read(fields);
      }
    }

    private Set<String> read(JsonFields fields) {
      for (String field = fields.next(); field != null; field = fields.next()) {
        read(field, fields);
      }
      fields.require(required);
      return fields.missing();
    }

    private void read(String field, JsonFields fields) {
      switch (field) {
        case "sku_id" -> skuId = fields.wholeNumber(1, Limits.NEW_SKU_ID_MAX);
        case "name" -> {
          if (ofSku) {
            skuName = skuName(fields);
          } else {
            name = name(fields);
          }
        }
        case "total_stock" -> totalStock = fields.wholeNumber(0, Limits.TOTAL_STOCK_MAX);
        case "buckets" -> buckets = number(fields, 1, Limits.BUCKETS_MAX);
        case "limit_per_user" -> limitPerUser = number(fields, 0, Limits.LIMIT_PER_USER_MAX);
        case "low_percent" -> lowPercent = number(fields, 1, PERCENT_MAX);
        case "last_percent" -> lastPercent = number(fields, 0, PERCENT_MAX);
        case "mode" -> mode = mode(fields);
        case "opens_at" -> opensAtMs = fields.momentOrNull();
        case "closes_at" -> closesAtMs = fields.momentOrNull();
        case "payment_window_s" ->
            paymentWindowS = fields.wholeNumber(0, Limits.PAYMENT_WINDOW_S_MAX);
        case "carts" -> carts = fields.flag();
        case "ticket" -> ticket = fields.flag();
        case "allow_past" -> allowPast = fields.flag();
        case "skus" -> skus = fields.objects(Limits.SALE_PUT_SKUS_MAX, SKU_OF_SALE, Values::sku);
        case "restock_id" -> restockId = restockId(fields);
        case "qty" -> qty = fields.wholeNumber(-Limits.TOTAL_STOCK_MAX, Limits.TOTAL_STOCK_MAX);
        default -> throw fields.unknown();
      }
    }

    private static int number(JsonFields fields, int min, int max) {
      return Math.toIntExact(fields.wholeNumber(min, max));
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

    private static @Nullable String skuName(JsonFields fields) {
      String text = fields.textOrNull();
      if (text != null && !Limits.isSkuName(text)) {
        throw fields.wrong(
            "Expected null or 1 to %d characters without control characters, but got another text"
                .formatted(Limits.SKU_NAME_MAX));
      }
      return text;
    }

    private static Sku.Mode mode(JsonFields fields) {
      return switch (fields.text()) {
        case "fast" -> Sku.Mode.FAST;
        case "direct" -> Sku.Mode.DIRECT;
        default -> throw fields.wrong("Expected fast or direct, but got another");
      };
    }

    private static String restockId(JsonFields fields) {
      String text = fields.text();
      if (!Limits.isRestockId(text)) {
        throw fields.wrong(
            "Expected 1 to %d characters of A-Z, a-z, 0-9 and _.:@-, but got another"
                .formatted(Limits.RESTOCK_ID_MAX));
      }
      return text;
    }

    private static SaleSku sku(JsonFields fields) {
      Values sku = new Values(true, "sku_id");
      Set<String> missing = sku.read(fields);
      return new SaleSku(
          sku.skuId,
          sku.totalStock,
          sku.buckets,
          sku.limitPerUser,
          new Watermarks(sku.lowPercent, sku.lastPercent),
          sku.mode,
          sku.skuName,
          missing);
    }
  }

  /**
   * @param ifMatch what must exist
   */
  NewSku sku(long skuId, Buffer body, IfMatch ifMatch) {
    Values sku = new Values(true);
    sku.paymentWindowS = paymentWindowS;
    Set<String> missing = sku.read(body, SKU);
    check(sku);
    return new NewSku(
        skuId,
        sku.totalStock,
        sku.buckets,
        sku.mode,
        new SkuSettings(
            sku.paymentWindowS, sku.limitPerUser, sku.opensAtMs, sku.closesAtMs, sku.ticket),
        sku.skuName,
        new Put(missing, ifMatch, sku.allowPast));
  }

  /**
   * @param ifMatch what must exist
   */
  NewSale sale(String saleId, Buffer body, IfMatch ifMatch) {
    Values sale = new Values(false);
    sale.paymentWindowS = paymentWindowS;
    Set<String> missing = sale.read(body, SALE);
    check(sale);
    return new NewSale(
        saleId,
        sale.name,
        sale.carts,
        new SaleTerms(sale.opensAtMs, sale.closesAtMs, sale.paymentWindowS, sale.ticket),
        sale.skus,
        new Put(missing, ifMatch, sale.allowPast));
  }

  private void check(Values put) {
    if (put.closesAtMs != 0 && put.opensAtMs != 0 && put.closesAtMs <= put.opensAtMs) {
      throw new BadInputException("closes_at", "Expected closes_at after opens_at, but it is not");
    }
    Parameters.requireDistinct("skus", put.skus.stream().map(SaleSku::skuId).toList());
    if (put.ticket && !takesTickets) {
      throw new BadInputException(
          "ticket",
          "Expected no tickets if no key verifies them, but got true: set auth.jwks_file,"
              + " auth.jwt_public_key or auth.jwt_secret");
    }
  }

  static Restock restock(Buffer body) {
    Values restock = new Values(true, "restock_id", "qty");
    restock.read(body, RESTOCK);
    if (restock.qty == 0) {
      throw new BadInputException("qty", "Expected a quantity that changes something, but got 0");
    }
    return new Restock(restock.restockId, restock.qty);
  }
}
