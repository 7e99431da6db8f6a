package io.sluice.sale.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.site.Release;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The last build before 1.0 does not start on a ledger of the present one, and changes nothing. */
class OldBuildIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static List<String> foundation() {
    return site.ledger()
        .query(
            "SELECT CONCAT(name, '=', value) FROM foundation"
                + " UNION SELECT CONCAT(version, file, applied_at) FROM schema_version ORDER BY 1",
            row -> row.getString(0));
  }

  @Test
  void shouldEndWithCode2OnALedgerOf1() {
    // given
    List<String> before = foundation();
    SluiceProcess old = site.newInstance(Map.of(), Release.beforeBaseline());

    // when
    int code = old.start().awaitExit().code();

    // then
    assertThat(code).isEqualTo(2);
    assertThat(old.log()).contains("in format 3");
    assertThat(foundation()).isEqualTo(before);
  }
}
