package io.sluice.admin;

import static java.util.Map.entry;

import io.sluice.ledger.Put;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.PutResult.TotalChange;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.model.Limits;
import io.sluice.model.ProblemType;
import io.sluice.model.Sku;
import io.sluice.web.Problem;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The problems for changes of SKUs and sales that the ledger refuses. */
final class ChangeProblems {
  static final Problem RECORDED =
      Problem.retry(
          ProblemType.UNAVAILABLE,
          "Expected the change to be in effect by now, but it is not; it is recorded and will be"
              + " applied",
          5);
  private static final Problem NO_MODE =
      Problem.of(
          ProblemType.MODE_UNAVAILABLE,
          "mode",
          "Expected mode direct, since this service has neither Redis nor Kafka, but got fast");
  private static final Problem RESTOCKING =
      Problem.retry(
          ProblemType.BUSY, "Expected no take-back under way, but there is one; retry soon", 1);
  private static final Problem DELETING =
      Problem.retry(
          ProblemType.BUSY,
          "Expected all SKUs of the sale to be deleted by now, but some are left; repeat the call",
          1);
  private static final Problem HAS_ORDERS =
      Problem.of(ProblemType.HAS_ORDERS, "Expected a SKU without an order, but it has some");
  private static final Problem SKU_ENDING = ending("a SKU whose sale");
  private static final Problem SALE_ENDING = ending("a sale that");

  /** Those of the results that say it all by their names. */
  private static final Map<Class<?>, Problem> BY_RESULT =
      Map.ofEntries(
          entry(SkuLedger.PutResult.IsEnding.class, SKU_ENDING),
          entry(SkuLedger.PutResult.IsRestocking.class, RESTOCKING),
          entry(SkuLedger.PutResult.NoMode.class, NO_MODE),
          entry(SkuLedger.ChangeResult.Unknown.class, Problem.UNKNOWN_SKU),
          entry(SkuLedger.ChangeResult.Moved.class, moved(true)),
          entry(SkuLedger.ChangeResult.IsFrozen.class, frozen(ProblemType.SKU_FROZEN, "SKU")),
          entry(SkuLedger.ChangeResult.IsEnding.class, SKU_ENDING),
          entry(SkuLedger.ChangeResult.IsRestocking.class, RESTOCKING),
          entry(SkuLedger.DeleteResult.Unknown.class, Problem.UNKNOWN_SKU),
          entry(SkuLedger.DeleteResult.NotEnded.class, notEnded("SKU")),
          entry(SkuLedger.DeleteResult.HasOrders.class, HAS_ORDERS),
          entry(RestockResult.Working.class, RECORDED),
          entry(RestockResult.IsEnding.class, SKU_ENDING),
          entry(RestockResult.Unknown.class, Problem.UNKNOWN_SKU),
          entry(RestockResult.Moved.class, moved(true)),
          entry(ArchiveResult.NotEnded.class, notEnded("SKU")),
          entry(ArchiveResult.Unknown.class, Problem.UNKNOWN_SKU),
          entry(SaleLedger.PutResult.IsEnding.class, SALE_ENDING),
          entry(SaleLedger.ChangeResult.Unknown.class, Problem.UNKNOWN_SALE),
          entry(SaleLedger.ChangeResult.Moved.class, moved(true)),
          entry(SaleLedger.ChangeResult.IsFrozen.class, frozen(ProblemType.SALE_FROZEN, "sale")),
          entry(SaleLedger.ChangeResult.IsEnding.class, SALE_ENDING),
          entry(SaleLedger.ChangeResult.NotEnded.class, notEnded("sale")),
          entry(SaleLedger.DeleteResult.Working.class, DELETING),
          entry(SaleLedger.DeleteResult.Unknown.class, Problem.UNKNOWN_SALE),
          entry(SaleLedger.DeleteResult.NotEnded.class, notEnded("sale")));

  private ChangeProblems() {}

  private static Problem ending(String subject) {
    return Problem.of(
        ProblemType.ENDING,
        "Expected %s goes on, but it is ending or has ended; nothing of it changes any more"
            .formatted(subject));
  }

  private static Problem frozen(ProblemType type, String subject) {
    return Problem.of(
        type, "Expected a %s that is not frozen, but it is; unfreeze it first".formatted(subject));
  }

  private static Problem notEnded(String subject) {
    return Problem.of(
        ProblemType.NOT_ENDED,
        "Expected a %s that has ended, but it has not; end it first".formatted(subject));
  }

  /** Of a call with If-Match. */
  static Problem moved(boolean exists) {
    return Problem.of(
        ProblemType.CHANGED_SINCE,
        "If-Match",
        exists
            ? "Expected it as it was read, but it has changed since; read it again"
            : "Expected one that exists, but there is none");
  }

  /** Of a result that says it all by its name. */
  static Problem byName(Object result) {
    Problem problem = BY_RESULT.get(result.getClass());
    if (problem == null) {
      throw new IllegalArgumentException("Expected a result with a problem, but got " + result);
    }
    return problem;
  }

  // ---- SKUs

  /**
   * @param result of a PUT that has changed nothing
   */
  static Problem of(SkuLedger.PutResult result) {
    if (result instanceof SkuLedger.PutResult.InSale inSale) {
      return Problem.of(
          ProblemType.IN_SALE,
          inSale.field(),
          "Expected %s as its sale %s has set it, but got another: change it there"
              .formatted(inSale.field(), inSale.saleId()));
    }
    if (result instanceof SkuLedger.PutResult.Moved moved) {
      return moved(moved.exists());
    }
    if (result instanceof SkuLedger.PutResult.Invalid invalid) {
      return invalid(invalid.field(), invalid.fault());
    }
    if (result instanceof SkuLedger.PutResult.TotalFixed total) {
      return fixed(total);
    }
    return result instanceof SkuLedger.PutResult.Conflict conflict
        ? fixed(conflict.field(), conflict.expected(), conflict.was())
        : byName(result);
  }

  private static Problem fixed(SkuLedger.PutResult.TotalFixed total) {
    return Problem.of(
        ProblemType.SETTING_FIXED,
        "total_stock",
        total.sells()
            ? "Expected total_stock %d as it is, since units are held or sold, but got %d: restock it instead"
                .formatted(total.now(), total.wanted())
            : "Expected total_stock %d as in the last PUT or %d as it is, but got %d: send If-Match to undo what was restocked since, or restock it"
                .formatted(total.first(), total.now(), total.wanted()));
  }

  /**
   * @param result of the restock that a PUT of another total is; it is not done
   * @param sku that has changed, but for its total
   */
  static Problem of(RestockResult result, Sku sku, TotalChange total) {
    long now = sku.stockNow();
    return result instanceof RestockResult.Refused
        ? fixed(new SkuLedger.PutResult.TotalFixed(sku.firstStock(), now, now + total.qty(), true))
        : of(result, total.qty());
  }

  /**
   * @param result of a change that was not made
   */
  static Problem of(SkuLedger.ChangeResult result) {
    return result instanceof SkuLedger.ChangeResult.InSale inSale
        ? Problem.of(
            ProblemType.IN_SALE,
            "Expected a SKU whose sale neither freezes it nor has closed, but its sale %s does: change it there"
                .formatted(inSale.saleId()))
        : byName(result);
  }

  /**
   * @param result of a restock that is not done
   * @param qty as requested
   */
  static Problem of(RestockResult result, long qty) {
    if (result instanceof RestockResult.Refused refused) {
      return Problem.of(
          ProblemType.NOT_ENOUGH_UNSOLD,
          "qty",
          "Expected %d unsold units to take back, but there are %d"
              .formatted(-qty, refused.unsold()));
    }
    if (result instanceof RestockResult.Mismatch mismatch) {
      return Problem.of(
          ProblemType.KEY_MISMATCH,
          "restock_id",
          "Expected qty %d as recorded for this restock_id, but got %d"
              .formatted(mismatch.recordedQty(), qty));
    }
    return result instanceof RestockResult.TooMuch tooMuch
        ? Problem.of(
            ProblemType.BAD_REQUEST,
            "qty",
            "Expected a total that stays in range, but qty is %d and the total %d"
                .formatted(qty, tooMuch.totalStock()))
        : byName(result);
  }

  // ---- sales

  /**
   * @param result of a deletion that was not made
   */
  static Problem of(SaleLedger.DeleteResult result) {
    if (result instanceof SaleLedger.DeleteResult.GoneOn gone) {
      return Problem.of(
              ProblemType.IN_USE,
              "Expected a sale whose SKUs are in no other one, but SKU %d has gone on to sale %s: delete it there first"
                  .formatted(gone.skuId(), gone.saleId()))
          .with("sku_id", gone.skuId())
          .with("sale_id", gone.saleId());
    }
    return result instanceof SaleLedger.DeleteResult.HasOrders used
        ? Problem.of(
                ProblemType.HAS_ORDERS,
                "Expected a sale without an order, but SKU %d of it has some"
                    .formatted(used.skuId()))
            .with("sku_id", used.skuId())
        : byName(result);
  }

  /**
   * @param result of a PUT that has changed nothing
   */
  static Problem of(SaleLedger.PutResult result, NewSale wanted) {
    if (result instanceof SaleLedger.PutResult.Full full) {
      return Problem.of(
          ProblemType.SALE_FULL,
          "skus",
          "Expected at most %d SKUs in the sale, but with these it would have %d"
              .formatted(full.skusMax(), full.skus()));
    }
    if (result instanceof SaleLedger.PutResult.Moved moved) {
      return moved(moved.exists());
    }
    if (result instanceof SaleLedger.PutResult.Invalid invalid) {
      return invalid(invalid.field(), invalid.fault());
    }
    if (result instanceof SaleLedger.PutResult.CartsFixed) {
      return fixed("carts", !wanted.carts(), wanted.carts());
    }
    return result instanceof SaleLedger.PutResult.Refused refused
        ? of(refused.faults(), wanted)
        : byName(result);
  }

  /** What is wrong with a SKU. */
  private record Wrong(
      long skuId, ProblemType type, String field, String detail, @Nullable String saleId) {
    static Wrong of(SkuFault fault) {
      long skuId = fault.skuId();
      if (fault instanceof SkuFault.Left left) {
        return inUse(
            skuId,
            left.saleId(),
            "Expected a SKU that has not left this sale, but SKU %d has gone on to sale %s"
                .formatted(skuId, left.saleId()));
      }
      if (fault instanceof SkuFault.InUse used) {
        String where = used.saleId() == null ? "sells on its own" : "is in sale " + used.saleId();
        return inUse(
            skuId,
            used.saleId(),
            "Expected a SKU that is new, has ended, or is in this sale, but SKU %d %s"
                .formatted(skuId, where));
      }
      if (fault instanceof SkuFault.Fixed fixed) {
        boolean isTotal = fixed.field().equals("total_stock");
        return new Wrong(
            skuId,
            ProblemType.SETTING_FIXED,
            fixed.field(),
            "Expected %s %s of SKU %d as in the %s PUT, but got %s%s"
                .formatted(
                    fixed.field(),
                    fixed.expected(),
                    skuId,
                    isTotal ? "last" : "first",
                    fixed.was(),
                    isTotal ? ": a PUT of the SKU changes it, or a restock" : ""),
            null);
      }
      return new Wrong(
          skuId,
          ProblemType.MODE_UNAVAILABLE,
          "mode",
          "Expected mode direct of SKU %d, since this service has neither Redis nor Kafka, but got fast"
              .formatted(skuId),
          null);
    }

    private static Wrong inUse(long skuId, @Nullable String saleId, String detail) {
      return new Wrong(skuId, ProblemType.IN_USE, "sku_id", detail, saleId);
    }

    JsonObject json() {
      JsonObject json =
          new JsonObject()
              .put("sku_id", skuId)
              .put("type", "/problems/" + type.word())
              .put("detail", detail);
      return saleId == null ? json : json.put("sale_id", saleId);
    }
  }

  /** The first SKU with a fault decides the type. */
  private static Problem of(List<SkuFault> faults, NewSale wanted) {
    Wrong first = Wrong.of(faults.get(0));
    List<Long> skus = wanted.skus().stream().map(SaleSku::skuId).toList();
    Problem problem =
        Problem.of(
                first.type(),
                "skus[%d].%s".formatted(skus.indexOf(first.skuId()), first.field()),
                first.detail())
            .with(
                "skus",
                new JsonArray(faults.stream().map(fault -> Wrong.of(fault).json()).toList()));
    return first.saleId() == null ? problem : problem.with("sale_id", first.saleId());
  }

  // ---- both

  private static Problem fixed(String field, Object expected, Object was) {
    return Problem.of(
        ProblemType.SETTING_FIXED,
        field,
        "Expected %s %s as in the first PUT, but got %s".formatted(field, expected, was));
  }

  /** Of a field that is wrong for what exists. */
  private static Problem invalid(String field, Put.Fault fault) {
    return Problem.of(
        ProblemType.BAD_REQUEST,
        field,
        switch (fault) {
          case MISSING ->
              "Expected the field %s, but it is missing"
                  .formatted(field.substring(field.lastIndexOf('.') + 1));
          case PASSED ->
              "Expected %s in the future, but it has passed; there are calls to open, to close and to end now, and allow_past"
                  .formatted(field);
          case NOT_AFTER -> "Expected closes_at after opens_at, but it is not";
          case ABOVE_LOW ->
              "Expected a last_percent of at most the low_percent, but it is above it";
          case TOO_MANY_BUCKETS ->
              "Expected SKUs of at most %d buckets in a call, but they have more"
                  .formatted(Limits.SALE_PUT_BUCKETS_MAX);
        });
  }
}
