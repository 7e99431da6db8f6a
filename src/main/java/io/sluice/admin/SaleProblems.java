package io.sluice.admin;

import io.sluice.ledger.SaleLedger.ChangeResult;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The problems for changes that the ledger refuses. */
final class SaleProblems {
  private static final Problem FROZEN =
      Problem.of(
          ProblemType.SALE_FROZEN,
          "Expected a sale that is not frozen, but it is; unfreeze it first");

  private static final Problem ENDING =
      Problem.of(
          ProblemType.ENDING,
          "Expected a sale that goes on, but it is ending or has ended; nothing of it changes any"
              + " more");
  private static final Problem NOT_ENDED =
      Problem.of(
          ProblemType.NOT_ENDED, "Expected a sale that has ended, but it has not; end it first");
  private static final Problem NOT_RAISED =
      Problem.retry(
          ProblemType.BUSY,
          "Expected only instances that know of ends, but one of an earlier release may still run",
          60);

  private SaleProblems() {}

  /**
   * @param result of a change that was not made
   */
  static Problem of(ChangeResult result) {
    if (result instanceof ChangeResult.IsEnding) {
      return ENDING;
    }
    if (result instanceof ChangeResult.Moved) {
      return SkuProblems.moved(true);
    }
    if (result instanceof ChangeResult.NotEnded) {
      return NOT_ENDED;
    }
    if (result instanceof ChangeResult.NotRaised) {
      return NOT_RAISED;
    }
    return result instanceof ChangeResult.IsFrozen ? FROZEN : Problem.UNKNOWN_SALE;
  }

  /**
   * @param result of a PUT that has changed nothing
   */
  static Problem of(PutResult result, NewSale wanted) {
    if (result instanceof PutResult.Full full) {
      return Problem.of(
          ProblemType.SALE_FULL,
          "skus",
          "Expected at most %d SKUs in the sale, but with these it would have %d"
              .formatted(full.skusMax(), full.skus()));
    }
    if (result instanceof PutResult.IsEnding) {
      return ENDING;
    }
    if (result instanceof PutResult.Moved moved) {
      return SkuProblems.moved(moved.exists());
    }
    if (result instanceof PutResult.Invalid invalid) {
      return SkuProblems.invalid(invalid.field(), invalid.fault());
    }
    if (result instanceof PutResult.NotRaised) {
      return SkuProblems.DIRECT_NOT_RAISED;
    }
    if (result instanceof PutResult.Refused refused) {
      return of(refused.faults(), wanted);
    }
    return Problem.of(
        ProblemType.SETTING_FIXED,
        "carts",
        "Expected carts %s as in the first PUT, but got %s"
            .formatted(!wanted.carts(), wanted.carts()));
  }

  /** The first SKU with a fault decides the type. */
  private static Problem of(List<SkuFault> faults, NewSale wanted) {
    SkuFault first = faults.get(0);
    JsonArray skus = new JsonArray();
    faults.forEach(
        fault ->
            skus.add(
                new JsonObject()
                    .put("sku_id", fault.skuId())
                    .put("type", "/problems/" + type(fault).word())
                    .put("detail", detail(fault))));
    return Problem.ofSkus(
        type(first),
        "skus[%d].%s".formatted(placeOf(first.skuId(), wanted), field(first)),
        detail(first),
        skus);
  }

  private static int placeOf(long skuId, NewSale wanted) {
    int place = 0;
    while (wanted.skus().get(place).skuId() != skuId) {
      place++;
    }
    return place;
  }

  private static ProblemType type(SkuFault fault) {
    if (fault instanceof SkuFault.NoMode) {
      return ProblemType.MODE_UNAVAILABLE;
    }
    return fault instanceof SkuFault.Fixed ? ProblemType.SETTING_FIXED : ProblemType.IN_USE;
  }

  private static String field(SkuFault fault) {
    if (fault instanceof SkuFault.NoMode) {
      return "mode";
    }
    return fault instanceof SkuFault.Fixed fixed ? fixed.field() : "sku_id";
  }

  private static String detail(SkuFault fault) {
    if (fault instanceof SkuFault.Left) {
      return "Expected a SKU that has not left this sale, but SKU %d has gone on to another one"
          .formatted(fault.skuId());
    }
    if (fault instanceof SkuFault.NoMode) {
      return "Expected mode direct of SKU %d, since this service has neither Redis nor Kafka, but got fast"
          .formatted(fault.skuId());
    }
    return fault instanceof SkuFault.Fixed fixed
        ? "Expected %s %s of SKU %d as in the first PUT, but got %s"
            .formatted(fixed.field(), fixed.expected(), fixed.skuId(), fixed.was())
        : "Expected a SKU that is new, has ended, or is in this sale, but SKU %d is in use elsewhere"
            .formatted(fault.skuId());
  }
}
