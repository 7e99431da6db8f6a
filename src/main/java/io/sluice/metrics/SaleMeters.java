package io.sluice.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** The meters of sales. */
public final class SaleMeters {
  private SaleMeters() {}

  /**
   * The ends and the archives of sales.
   *
   * @param unfinished how many of them are not done
   * @param standsS how long one makes no progress, the longest; seconds
   */
  public static void ends(MeterRegistry registry, IntSupplier unfinished, LongSupplier standsS) {
    Gauge.builder("sluice_sales_ending", unfinished::getAsInt)
        .strongReference(true)
        .register(registry);
    Gauge.builder("sluice_sale_end_stands_seconds", standsS::getAsLong)
        .strongReference(true)
        .register(registry);
  }
}
