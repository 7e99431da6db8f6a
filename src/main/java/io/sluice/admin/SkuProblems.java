package io.sluice.admin;

import io.sluice.ledger.Put;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.model.Limits;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemType;

/** The problems for changes that the ledger refuses. */
final class SkuProblems {
  static final Problem UNKNOWN = Problem.UNKNOWN_SKU;
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
  static final Problem DIRECT_NOT_RAISED =
      Problem.retry(
          ProblemType.BUSY,
          "Expected only instances that know of mode direct, but one of an earlier release may"
              + " still run",
          60);
  static final Problem NOT_ENDED =
      Problem.of(
          ProblemType.NOT_ENDED, "Expected a SKU that has ended, but it has not; end it first");
  private static final Problem FROZEN =
      Problem.of(
          ProblemType.SKU_FROZEN,
          "Expected a SKU that is not frozen, but it is; unfreeze it first");

  private static final Problem ENDING =
      Problem.of(
          ProblemType.ENDING,
          "Expected a SKU whose sale goes on, but it is ending or has ended; nothing of it changes"
              + " any more");

  private static final Problem RESTOCKING =
      Problem.retry(
          ProblemType.BUSY, "Expected no take-back under way, but there is one; retry soon", 1);
  private static final Problem NOT_RAISED =
      Problem.retry(
          ProblemType.BUSY,
          "Expected only instances that know of ends, but one of an earlier release may still run",
          60);

  private SkuProblems() {}

  /**
   * @param result of a PUT that has changed nothing
   */
  static Problem of(PutResult result) {
    if (result instanceof PutResult.InSale inSale) {
      return inSale(inSale);
    }
    if (result instanceof PutResult.Moved moved) {
      return moved(moved.exists());
    }
    if (result instanceof PutResult.Invalid invalid) {
      return invalid(invalid.field(), invalid.fault());
    }
    if (result instanceof PutResult.NoMode) {
      return NO_MODE;
    }
    if (result instanceof PutResult.NotRaised) {
      return DIRECT_NOT_RAISED;
    }
    return result instanceof PutResult.Conflict conflict ? of(conflict) : ENDING;
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

  /** Of a field that is wrong for what exists. */
  static Problem invalid(String field, Put.Fault fault) {
    return Problem.of(ProblemType.BAD_REQUEST, field, detail(field, fault));
  }

  private static String detail(String field, Put.Fault fault) {
    return switch (fault) {
      case MISSING ->
          "Expected the field %s, but it is missing"
              .formatted(field.substring(field.lastIndexOf('.') + 1));
      case PASSED ->
          "Expected %s in the future, but it has passed; there are calls to open, to close and to end now, and allow_past"
              .formatted(field);
      case NOT_AFTER -> "Expected closes_at after opens_at, but it is not";
      case ABOVE_LOW -> "Expected a last_percent of at most the low_percent, but it is above it";
      case TOO_MANY_BUCKETS ->
          "Expected SKUs of at most %d buckets in a call, but they have more"
              .formatted(Limits.SALE_PUT_BUCKETS_MAX);
    };
  }

  private static Problem inSale(PutResult.InSale inSale) {
    return Problem.of(
        ProblemType.IN_SALE,
        inSale.field(),
        "Expected %s as its sale %s has set it, but got another: change it there"
            .formatted(inSale.field(), inSale.saleId()));
  }

  private static Problem of(PutResult.Conflict conflict) {
    return Problem.of(
        ProblemType.SETTING_FIXED,
        conflict.field(),
        "Expected %s %s as in the first PUT, but got %s"
            .formatted(conflict.field(), conflict.expected(), conflict.was()));
  }

  /**
   * @param result of a change that was not made
   */
  static Problem of(ChangeResult result) {
    if (result instanceof ChangeResult.InSale inSale) {
      return Problem.of(
          ProblemType.IN_SALE,
          "Expected a SKU whose sale neither freezes it nor has closed, but its sale %s does: change it there"
              .formatted(inSale.saleId()));
    }
    if (result instanceof ChangeResult.IsEnding) {
      return ENDING;
    }
    if (result instanceof ChangeResult.Moved) {
      return moved(true);
    }
    if (result instanceof ChangeResult.IsRestocking) {
      return RESTOCKING;
    }
    if (result instanceof ChangeResult.NotRaised) {
      return NOT_RAISED;
    }
    return result instanceof ChangeResult.IsFrozen ? FROZEN : UNKNOWN;
  }

  /**
   * @param result of a restock that is not done
   * @param qty as requested
   */
  static Problem of(RestockResult result, long qty) {
    if (result instanceof RestockResult.Working) {
      return RECORDED;
    }
    if (result instanceof RestockResult.IsEnding) {
      return ENDING;
    }
    if (result instanceof RestockResult.Moved) {
      return moved(true);
    }
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
    if (result instanceof RestockResult.TooMuch tooMuch) {
      return Problem.of(
          ProblemType.BAD_REQUEST,
          "qty",
          "Expected a total that stays in range, but qty is %d and the total %d"
              .formatted(qty, tooMuch.totalStock()));
    }
    return UNKNOWN;
  }
}
