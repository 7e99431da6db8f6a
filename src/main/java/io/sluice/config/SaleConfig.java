package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.Settings;

/** When sales end by themselves; seconds. */
public record SaleConfig(int endAfterS) {
  static final IntKey END_AFTER_S = new IntKey("sale.end_after_s", 86_400, 0, 31_536_000);

  public SaleConfig {
    END_AFTER_S.check(endAfterS);
  }

  static SaleConfig read(Settings settings) {
    return new SaleConfig(settings.number(END_AFTER_S));
  }
}
