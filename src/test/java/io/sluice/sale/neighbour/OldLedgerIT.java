package io.sluice.sale.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.site.Release;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The present build does not start on a ledger of the last one before 1.0, and changes nothing. */
class OldLedgerIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(0).withTamperedBooks();

  private static List<String> columns() {
    return site.ledger()
        .query(
            "SELECT CONCAT(table_name, '.', column_name) FROM information_schema.columns"
                + " WHERE table_schema = DATABASE()"
                + " UNION SELECT CONCAT(version, file, applied_at) FROM schema_version ORDER BY 1",
            row -> row.getString(0));
  }

  @Test
  void shouldEndWithCode2OnALedgerOfABuildBefore1() {
    // given
    SluiceProcess old = site.newInstance(Map.of(), Release.beforeBaseline());
    old.start().awaitReady();
    List<String> before = columns();
    SluiceProcess newcomer = site.newInstance(Map.of(), Release.present());

    // when
    int code = newcomer.start().awaitExit().code();

    // then
    assertThat(code).isEqualTo(2);
    assertThat(newcomer.log()).contains("schema 23").contains("no release can upgrade that");
    assertThat(columns()).isEqualTo(before);
    assertThat(old.terminate().code()).isZero();
  }
}
