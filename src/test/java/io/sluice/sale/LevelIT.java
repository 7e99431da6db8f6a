package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.ledger.Levels;
import io.sluice.ledger.mysql.table.FoundationTable;
import io.sluice.testkit.site.Release;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a release of a lower level would misread waits until none of its instances can come back,
 * and none of a lower level starts after that.
 */
class LevelIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Duration LIMIT = Duration.ofSeconds(30);

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
  void shouldEndNothingWhileAnInstanceOfALowerLevelMayRun() {
    // given
    Sale sale = site.sale().withStock(10).open();
    keep(kept().replaceFirst(", level .*", ""));
    sql("INSERT IGNORE INTO instance_level (level) VALUES (?)", Levels.ENDS - 1);
    sql(
        "INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, level,"
            + " seen_at) SELECT 'before', grant_deadline_ms, sweep_after_ms, ?, seen_at FROM"
            + " service_instance LIMIT 1",
        Levels.ENDS - 1);

    // when
    String beside = sale.end().brief();
    sql("DELETE FROM service_instance WHERE instance_id = 'before'");

    // then
    assertThat(beside).isEqualTo("503 busy");
    await().atMost(LIMIT).until(() -> sale.end().status() == 200);
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
