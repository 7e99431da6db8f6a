package io.sluice.sale.neighbour;

import io.sluice.testkit.site.SaleSite;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The release before has founded ledger and topics; the present one joins it, as in an upgrade. */
class KeptFirstIT extends SideBySideSuite {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(0);

  private static final Neighbours NEIGHBOURS = new Neighbours(site, Side.KEPT);

  KeptFirstIT() {
    super(site, NEIGHBOURS);
  }
}
