package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.mysqlclient.MySQLConnection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a page of the migration costs when many pages were moved before it. */
class RowMigrationScaleIT {
  private static final int MANY = 4_000;
  private static final int PAGES = 40;

  /** The place among the statements of a page of the one that reads the old table alone. */
  private static final int COUNTS_REJECTS = 4;

  /**
   * Deleted rows stay while a backup reads the state before them; each page passed over those of
   * all pages before it.
   */
  @Test
  void shouldReadNoMoreForTheLastPagesWhenABackupHoldsWhatWasDeleted() {
    try (TestDatabase database = Format1.ledger()) {
      // given
      database.sql(
          """
          INSERT INTO orders (order_token, user_id, sku_id, bucket, partition_id, qty, seq, epoch, status, version,
            pay_before, created_at, updated_at)
          SELECT CONCAT('1001.0.', LPAD(HEX(n), 21, '0'), 'A'), 'many', 1001, 0, 0, 1, 1000 + n, 1, 'PENDING', 1, 5000, 1, 1
          FROM (SELECT @n := @n + 1 AS n FROM information_schema.columns a, information_schema.columns b,
            (SELECT @n := 0) zero LIMIT %d) numbers"""
              .formatted(MANY));
      Migrations.Migration last = Migrations.all().get(RowMigration.VERSION - 1);
      MySQLConnection connection = database.connect();
      last.statements().forEach(statement -> get(connection.query(statement).execute()));
      MySQLConnection backup = database.connect();
      get(backup.query("START TRANSACTION WITH CONSISTENT SNAPSHOT").execute());

      // when
      List<Long> reads = new ArrayList<>();
      get(
          new RowMigration(
                  connection,
                  MANY / PAGES,
                  () -> pagesRead(backup).onSuccess(reads::add).mapEmpty())
              .run());

      // then
      List<Long> ofCounting = new ArrayList<>();
      for (int page = 0; page < PAGES; page++) {
        int counted = page * RowMigrationIT.STATEMENTS_OF_A_PAGE + COUNTS_REJECTS;
        ofCounting.add(reads.get(counted) - reads.get(counted - 1));
      }
      assertThat(median(ofCounting.subList(PAGES - 10, PAGES)))
          .as("database pages read to count the rejects of each page: %s", ofCounting)
          .isLessThan(2 * median(ofCounting.subList(0, 10)));
      get(backup.close());
      get(connection.close());
    }
  }

  /** The database's own work in the background is counted as well, and hits a page now and then. */
  private static long median(List<Long> numbers) {
    return numbers.stream().sorted().toList().get(numbers.size() / 2);
  }

  private static Future<Long> pagesRead(MySQLConnection connection) {
    return connection
        .query("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_read_requests'")
        .execute()
        .map(rows -> Long.parseLong(rows.iterator().next().getString(1)));
  }
}
