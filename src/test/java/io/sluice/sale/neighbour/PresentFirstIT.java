package io.sluice.sale.neighbour;

import io.sluice.testkit.site.SaleSite;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The present release has brought the ledger to its own schema; the release before starts on it, as
 * when an upgrade is taken back.
 */
class PresentFirstIT extends SideBySideSuite {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(0);

  private static final Neighbours NEIGHBOURS = new Neighbours(site, Side.PRESENT);

  PresentFirstIT() {
    super(site, NEIGHBOURS);
  }
}
