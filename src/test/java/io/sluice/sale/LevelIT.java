package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Levels;
import io.sluice.ledger.mysql.FoundationTable;
import io.sluice.testkit.site.Release;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Once the level of the ledger is raised, no instance of a lower one starts. */
class LevelIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static void sql(String text, Object... parameters) {
    site.ledger().query(text, row -> row, parameters);
  }

  private static String kept() {
    return site.ledger()
        .query(
            "SELECT value FROM foundation WHERE name = ?",
            row -> row.getString(0),
            FoundationTable.PARTITIONS)
        .get(0);
  }

  private static void keep(String value) {
    sql("UPDATE foundation SET value = ? WHERE name = ?", value, FoundationTable.PARTITIONS);
  }

  @Test
  void shouldNotStartOnALedgerOfAHigherLevel() {
    // given
    String higher = ", level " + (Levels.LEVEL + 1);
    SluiceProcess newcomer = site.newInstance(Map.of(), Release.present());
    String before = kept();
    keep(before.replaceFirst(", level .*", "") + higher);

    // when
    int code = newcomer.start().awaitExit().code();

    // then
    keep(before);
    assertThat(code).isEqualTo(2);
    assertThat(newcomer.log()).contains("level " + (Levels.LEVEL + 1));
  }
}
