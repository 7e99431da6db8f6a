package io.sluice;

import io.sluice.config.Config;
import io.sluice.owner.OwnerSupervisor;
import io.sluice.owner.direct.LedgerAloneVerticle;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * The background work: by owners or, if there is no order log, by their replacement.
 *
 * @param owned how many partitions are owned here
 * @param settled whether owners have taken over
 */
record Background(VerticleBase verticle, IntSupplier owned, BooleanSupplier settled) {
  static Background of(Config config, Connections connections, Assembly assembly) {
    if (!connections.hasLog()) {
      return new Background(ledgerAlone(config, connections), () -> 0, () -> true);
    }
    OwnerSupervisor owners = assembly.owners();
    return new Background(owners, owners::owned, owners::isSettled);
  }

  private static LedgerAloneVerticle ledgerAlone(Config config, Connections connections) {
    return new LedgerAloneVerticle(
        connections.ledger(),
        connections.directLedger(),
        connections::renewPresence,
        config.reservation(),
        Duration.ofSeconds(config.sale().endAfterS()),
        Duration.ofMillis(config.reconcile().intervalMs()));
  }
}
