package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.mysql.LedgerFill;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Statements read few rows, and wait for no others, also if a table is small or most of its rows
 * are those that are asked for: then an optimizer prefers to read all of them.
 */
class SkewedLedgerIT {
  /** The numbers from 0 to 9,999. */
  private static final String NUMBERS =
      """
      WITH d AS (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
        UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9),
      numbers AS (SELECT a.n + 10 * b.n + 100 * c.n + 1000 * e.n AS n FROM d a, d b, d c, d e)
      """;

  private TestDatabase database;
  private MySQLConnection connection;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated(2, 60_000);
    connection = database.connect();
    get(ConnectionFactory.setSession(connection, 60_000));
  }

  @AfterEach
  void close() {
    get(connection.close());
    database.close();
  }

  @Test
  void shouldReadAPageOfTheOutboxWhenMostOfItIsPending() {
    // given
    outbox("SENT", 10_000);
    outbox("PENDING", 5_000);
    database.sql("ANALYZE TABLE outbox");

    // when
    long read = rowsRead(SqlStatement.LIST_PENDING.text(0), Tuple.of(0, "RELEASE", 0L, 16));

    // then
    assertThat(read).isLessThanOrEqualTo(20);
  }

  @Test
  void shouldReadAPageOfBucketsWhenSkusHaveSeveral() {
    // given
    LedgerFill fill = new LedgerFill(database::sql, 4);
    fill.sku(1, 1, 1, "FAST");
    database.sql(
        """
        INSERT INTO inventory (sku_id, total_stock, settings, state, first_stock, buckets, mode, thawed_state)
        %s SELECT 10 + n, 8, settings, state, 8, 8, mode, thawed_state FROM numbers, inventory
        WHERE n < 2000 AND sku_id = 1\
        """
            .formatted(NUMBERS));
    database.sql(
        """
        INSERT INTO inventory_bucket (sku_id, bucket, partition_id, allotted)
        %s SELECT 10 + a.n, b.n, b.n %% 4, 1 FROM numbers a, d b WHERE a.n < 2000 AND b.n < 8\
        """
            .formatted(NUMBERS));
    database.sql("ANALYZE TABLE inventory, inventory_bucket");

    // when: each row is joined with its SKU, and with the eight buckets of it
    long read = rowsRead(SqlStatement.LIST_BUCKETS.text(0), Tuple.of(0, 0L, 0L, -1, 50));

    // then
    assertThat(read).isLessThanOrEqualTo(50 * 12);
  }

  @Test
  void shouldNotReadTheRestocksOfOtherSkusWhenASaleEnds() {
    // given
    LedgerFill fill = new LedgerFill(database::sql, 4);
    fill.sku(1, 1, 1, "FAST");
    database.sql(
        """
        INSERT INTO inventory (sku_id, total_stock, settings, state, first_stock, buckets, mode, thawed_state, sale_id)
        %s SELECT 10 + n, 8, settings, state, 8, 1, mode, thawed_state, 'rain' FROM numbers, inventory
        WHERE n < 5000 AND sku_id = 1\
        """
            .formatted(NUMBERS));
    database.sql(
        """
        INSERT INTO restock (sku_id, restock_id, qty, status, unsold)
        %s SELECT 1, CONCAT('r-', n), 1, 'DONE', 0 FROM numbers\
        """
            .formatted(NUMBERS));
    database.sql("ANALYZE TABLE inventory, restock");

    // when
    long read = rowsRead(SqlStatement.LIST_SKUS_TO_END.text(0), Tuple.of("rain", 50));

    // then
    assertThat(read).isLessThanOrEqualTo(50 * 4);
  }

  @Test
  void shouldNotWaitForOtherRowsWhenAListIsDeletedFromASmallTable() {
    // given
    outbox("SENT", 300);
    List<Long> ids = LongStream.rangeClosed(1, 128).boxed().toList();
    MySQLConnection other = database.connect();
    get(other.query("START TRANSACTION").execute());
    get(
        other
            .query(
                "INSERT INTO outbox (partition_id, kind, event_type, payload, created_at)"
                    + " VALUES (3, 'EVENT', 'X', '{}', 1)")
            .execute());
    get(connection.query("SET SESSION innodb_lock_wait_timeout = 2").execute());

    // when
    int deleted =
        get(
            connection
                .preparedQuery(SqlStatement.DELETE_OUTBOX.text(ids.size()))
                .execute(Tuple.from(ids))
                .map(rows -> rows.rowCount()));
    get(other.query("ROLLBACK").execute());
    get(other.close());

    // then
    assertThat(deleted).isEqualTo(128);
  }

  private void outbox(String status, int rows) {
    database.sql(
        """
        INSERT INTO outbox (partition_id, kind, event_type, payload, created_at, status)
        %s SELECT 0, 'RELEASE', 'RELEASE', '{}', 1, '%s' FROM numbers WHERE n < %d ORDER BY n\
        """
            .formatted(NUMBERS, status, rows));
  }

  private long rowsRead(String sql, Tuple parameters) {
    long looking = -counted() + counted();
    long before = counted() + looking;
    get(connection.preparedQuery(sql).execute(parameters));
    return counted() - before;
  }

  private long counted() {
    return StreamSupport.stream(
            get(connection.query(Asked.rowsRead("SESSION")).execute()).spliterator(), false)
        .mapToLong(row -> Long.parseLong(row.getString(1)))
        .sum();
  }
}
