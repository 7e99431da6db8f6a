package io.sluice.admin;

import io.sluice.model.Limits;
import io.sluice.web.problem.BadInputException;

/** The id of a sale in a call. */
final class SaleIdInput {
  private SaleIdInput() {}

  /** The id of a sale that need not exist yet. Throws {@link BadInputException} if it is none. */
  static String ofNew(String saleId) {
    if (Limits.isDots(saleId)) {
      throw new BadInputException(
          "sale_id", "Expected an id that a path can name, but got " + saleId);
    }
    return checked(saleId);
  }

  /** The id, if it can be one. Throws {@link BadInputException} otherwise. */
  static String checked(String saleId) {
    if (!Limits.isSaleId(saleId)) {
      throw new BadInputException(
          "sale_id",
          "Expected 1 to %d characters of A-Z, a-z, 0-9 and _.-, but got another"
              .formatted(Limits.SALE_ID_MAX));
    }
    return saleId;
  }
}
