package io.sluice.sale.hostile;

import io.sluice.testkit.site.SluiceProcess;
import java.net.URI;

/**
 * An instance under attack.
 *
 * @param hasTokens whether its buyers, back office and operators carry tokens; otherwise it takes
 *     the word of a gateway and of programs of this machine
 * @param operator the header lines of an operator's call
 * @param eve the header lines of a call of the buyer eve
 */
record Target(SluiceProcess instance, boolean hasTokens, String operator, String eve) {
  static final String EVE = "eve";

  int publicPort() {
    return URI.create(instance.url()).getPort();
  }

  int adminPort() {
    return URI.create(instance.adminUrl()).getPort();
  }
}
