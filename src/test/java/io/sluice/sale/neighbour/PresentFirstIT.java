package io.sluice.sale.neighbour;

import io.sluice.testkit.site.SaleSite;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The present release has founded ledger and topics, with its own schema; the release before starts
 * on them, as when an upgrade is taken back.
 */
class PresentFirstIT extends SideBySideSuite {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(0);

  private static final Neighbours NEIGHBOURS = new Neighbours(site, Side.PRESENT);

  PresentFirstIT() {
    super(site, NEIGHBOURS);
  }
}
