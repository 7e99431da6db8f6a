package io.sluice.explore.mutant;

import io.sluice.explore.run.World;
import io.sluice.explore.store.Intercept;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.StillBucket;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The reconciler ignores units that are about to be released, or passes every bucket over. */
final class HalfLook implements Defect {
  private final boolean looksAway;

  HalfLook(boolean looksAway) {
    this.looksAway = looksAway;
  }

  @Override
  public Ledger ledgerBelow(Ledger ledger, World world) {
    return Intercept.of(
        Ledger.class, ledger, "compare", call -> call.with(2, half(call.argument(2))));
  }

  private Function<StillBucket, Future<?>> half(Function<StillBucket, Future<?>> look) {
    return still ->
        look.apply(
            new StillBucket(
                still.row(),
                looksAway || still.restocking(),
                looksAway ? still.unreleased() : Optional.of(Map.of()),
                still.bookedOf()));
  }
}
