package io.sluice.reservation;

import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.Optional;

/** How much of a SKU is left, roughly, for everybody; kept for a second. */
public final class SkuLevels {

  /** LOW at 20 % of the total or less, LAST at 5 %. */
  public enum Level {
    PLENTY,
    LOW,
    LAST,
    SOLD_OUT
  }

  /** Times are epoch milliseconds, 0 for none. */
  public record SkuLevel(
      long skuId, SkuState state, Level level, long opensAtMs, long closesAtMs) {}

  /** Empty where there is no such SKU; failed where it cannot be learnt now. */
  public Future<Optional<SkuLevel>> level(long skuId) {
    throw new UnsupportedOperationException();
  }
}
