package io.sluice.admin;

import io.sluice.model.Sku;
import io.sluice.web.format.JsonFields;

/** Reads the mode of a SKU. */
final class ModeWord {
  private ModeWord() {}

  /** The mode that the current field names. */
  static Sku.Mode read(JsonFields fields) {
    return switch (fields.text()) {
      case "fast" -> Sku.Mode.FAST;
      case "direct" -> Sku.Mode.DIRECT;
      default -> throw fields.wrong("Expected fast or direct, but got another");
    };
  }
}
