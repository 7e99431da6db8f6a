package io.sluice.explore.mutant;

import io.sluice.explore.run.World;
import io.sluice.explore.store.Intercept;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.StillBucket;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    return still -> look.apply(new Half(still));
  }

  private final class Half implements StillBucket {
    private final StillBucket whole;

    private Half(StillBucket whole) {
      this.whole = whole;
    }

    @Override
    public BucketRow row() {
      return whole.row();
    }

    @Override
    public boolean restocking() {
      return looksAway || whole.restocking();
    }

    @Override
    public Optional<Map<OrderToken, Integer>> unreleased() {
      return looksAway ? whole.unreleased() : Optional.of(Map.of());
    }

    @Override
    public Future<Set<OrderToken>> booked(Collection<OrderToken> tokens) {
      return whole.booked(tokens);
    }
  }
}
