package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.db.SqlSession.Items;
import io.sluice.ledger.Fence;
import io.sluice.ledger.mysql.MySqlLedger;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.testkit.Placements;
import io.sluice.testkit.mysql.LedgerFill;
import io.vertx.core.buffer.Buffer;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * With hundreds of thousands of orders, all statements of owners and API use an index and read no
 * more rows than with few. {@code -Dledger.orders=5300000} makes it a ledger of 10 million rows.
 */
class LedgerScaleIT {
  private static final int PARTITIONS = 4;
  private static final int BUCKETS = 8;
  private static final int ORDERS = Integer.getInteger("ledger.orders", 300_000);
  private static final int ORDERS_OF_SMALL = 1_000;
  private static final long SKU_ID = 5_000;

  /** Buckets that have ended, in front of the others of each partition. */
  private static final int ENDED = 900;

  private static final long ENDED_SKU_ID = 100;

  private static TestDatabase large;
  private static TestDatabase small;
  private static MySQLConnection connection;

  @BeforeAll
  static void fill() {
    large = filled(ORDERS);
    small = filled(ORDERS_OF_SMALL);
    connection = large.connect();
    get(ConnectionFactory.setSession(connection, 60_000));
  }

  @AfterAll
  static void close() {
    get(connection.close());
    large.close();
    small.close();
  }

  private static TestDatabase filled(int orders) {
    TestDatabase made = TestDatabase.migrated(4, 60_000);
    LedgerFill fill = new LedgerFill(made::sql, PARTITIONS);
    fill.sku(SKU_ID, BUCKETS, orders, "FAST");
    fill.sku(AskedOfArchive.SKU_ID, BUCKETS, orders, "FAST");
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      fill.mixed(new BucketId(SKU_ID, bucket), orders / BUCKETS);
      fill.archived(new BucketId(SKU_ID, bucket), orders / BUCKETS, AskedOfArchive.SKU_ID);
    }
    fill.moved(new BucketId(SKU_ID, 0), orders / BUCKETS);
    fill.ended(ENDED_SKU_ID, ENDED);
    fill.bystanders(SKU_ID + 1);
    fill.analyze();
    return made;
  }

  @ParameterizedTest
  @MethodSource("asked")
  void shouldReadFewRowsByIndexWhenTheLedgerIsLarge(Asked asked) {
    // given
    String sql = asked.sql();
    get(connection.query("START TRANSACTION").execute());

    // when: planned first, since MySQL reads rows of its dictionary as it opens a table
    RowSet<Row> plan =
        get(
            connection
                .preparedQuery("EXPLAIN FORMAT=TRADITIONAL " + sql)
                .execute(asked.parameters()));
    long looking = -rowsRead(connection, "SESSION") + rowsRead(connection, "SESSION");
    long before = rowsRead(connection, "SESSION") + looking;
    get(connection.preparedQuery(sql).execute(asked.parameters()));
    long read = rowsRead(connection, "SESSION") - before;
    get(connection.query("ROLLBACK").execute());

    // then
    boolean isMysql = connection.databaseMetadata().productName().startsWith("MySQL");
    assertThat(read)
        .as("rows that %s reads", asked.statement())
        .isLessThanOrEqualTo(isMysql ? asked.mostOnMysql() : asked.most());
    for (Row step : plan) {
      String table = step.getString("table");
      if (table != null && !table.startsWith("<") && !isNotRead(step)) {
        assertThat(step.getString("key")).as("index of %s", step.toJson()).isNotNull();
        assertThat(step.getString("type")).as("%s", step.toJson()).isNotEqualTo("ALL");
      }
    }
  }

  /** Whether these rows are of the statement's own JSON parameter, are written, or cannot exist. */
  private static boolean isNotRead(Row step) {
    return ("const".equals(step.getString("type")) && step.getString("key") == null)
        || String.valueOf(step.getString("Extra")).contains("Table function")
        || "INSERT".equals(step.getString("select_type"));
  }

  static Stream<Arguments> updatesOfOneRow() {
    return Stream.of(
        arguments(SqlStatement.MARK_SENT, Items.of(List.of(Tuple.of(1L, partition(), 1_000L)))),
        arguments(
            SqlStatement.FORGET_HOLDS,
            Items.of(List.of(Tuple.of(SKU_ID, 0, id(0)))).behind(Tuple.of("nobody", "salt"))));
  }

  @ParameterizedTest
  @MethodSource("updatesOfOneRow")
  void shouldReadFewRowsWhenOneIsUpdated(SqlStatement statement, Items one) {
    // given
    var session = new SqlSession(connection, false, false);
    get(connection.query("START TRANSACTION").execute());
    long looking = -rowsRead(connection, "SESSION") + rowsRead(connection, "SESSION");
    long before = rowsRead(connection, "SESSION") + looking;

    // when
    int updated = get(session.updateEach(statement, one));
    long read = rowsRead(connection, "SESSION") - before;
    get(connection.query("ROLLBACK").execute());

    // then
    assertThat(updated).isEqualTo(1);
    assertThat(read).isLessThanOrEqualTo(8);
  }

  @Test
  void shouldHaveAPlanWhenAStatementReads() {
    // given
    Set<SqlStatement> reading = EnumSet.noneOf(SqlStatement.class);
    for (SqlStatement statement : SqlStatement.values()) {
      String text = statement.text(statement.repeats() ? 1 : 0);
      if (text.contains("WHERE ") || text.contains("FROM ")) {
        reading.add(statement);
      }
    }
    reading.removeAll(Scans.OF_FEW_ROWS);
    reading.removeAll(Scans.SELDOM);
    reading.removeIf(statement -> statement.name().endsWith("_SCHEMA_VERSIONS"));

    // when
    List<SqlStatement> asked = asked().stream().map(Asked::statement).distinct().toList();

    // then
    assertThat(asked).containsExactlyInAnyOrderElementsOf(reading);
  }

  @Test
  void shouldCostTheSameWhenALargeLedgerIsComparedWithRedis() {
    // given
    long costOfSmall = costOfComparing(small);

    // when
    long cost = costOfComparing(large);

    // then
    assertThat(cost).isBetween(costOfSmall / 2, costOfSmall * 11 / 10);
  }

  /** Rows read by the queries of one reconcile pass; other sessions may add to the count. */
  private static long costOfComparing(TestDatabase database) {
    MySqlLedger ledger = new MySqlLedger(database.database(), database.meters());
    Fence fence =
        get(ledger.takeOver(Placements.partitionOf(new BucketId(SKU_ID, 0), PARTITIONS), 0));
    long cheapest = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long before = rowsRead(connection, "GLOBAL");
      get(ledger.buckets(fence.partition(), Optional.empty(), 50));
      get(
          ledger.compare(
              fence,
              new BucketId(SKU_ID, 0),
              still -> {
                assertThat(still.unreleased()).isPresent();
                return still.bookedOf().apply(tokens(100));
              }));
      cheapest = Math.min(cheapest, rowsRead(connection, "GLOBAL") - before);
    }
    return cheapest;
  }

  private static List<OrderToken> tokens(int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> OrderToken.parse(token(n)).orElseThrow())
        .toList();
  }

  /** The token that the ledger was filled with. */
  private static String token(int n) {
    return SKU_ID
        + ".0."
        + Base64.getUrlEncoder().withoutPadding().encodeToString(id(n).getBytes());
  }

  static Buffer id(int n) {
    return Buffer.buffer().appendLong(0).appendLong(n);
  }

  private static long rowsRead(MySQLConnection on, String scope) {
    RowSet<Row> counters = get(on.query(Asked.rowsRead(scope)).execute());
    return StreamSupport.stream(counters.spliterator(), false)
        .mapToLong(row -> Long.parseLong(row.getString(1)))
        .sum();
  }

  static List<Asked> asked() {
    return Stream.of(
            askedOfOrders(),
            askedOfOutbox(),
            askedOfBuckets(),
            AskedOfSales.ALL,
            askedOfTheRest(),
            AskedOfArchive.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Asked> askedOfOrders() {
    List<Object> tokens = new ArrayList<>();
    List<Object> places = new ArrayList<>();
    for (int n = 0; n < 256; n++) {
      tokens.addAll(List.of(SKU_ID, 0, id(n)));
      places.addAll(List.of(SKU_ID, 0, 1, n + 1));
    }
    return List.of(
        Asked.list(SqlStatement.READ_ORDERS, List.of(), tokens).items(256),
        Asked.list(SqlStatement.LOOK_UP_ORDERS, List.of(), tokens).items(256).most(1_288),
        Asked.list(SqlStatement.READ_REJECTS, List.of(), tokens).items(256),
        Asked.list(SqlStatement.READ_NOTES, List.of(), tokens).items(256),
        Asked.list(SqlStatement.READ_CLAIMS, List.of(), places).items(256),
        Asked.due(partition(), 1_000, 0, 0),
        // Behind holds of one deadline that were looked at.
        Asked.due(partition(), 2_000, SKU_ID, BUCKETS),
        Asked.due(List.of(0, 1, 2, 3), 1_000, 0, 0, 100),
        // Each row's moves are read to their end.
        Asked.one(SqlStatement.LIST_LOAD_ROWS, 5_030, SKU_ID, 0, 1L, 1L, 1_000L, 1_000),
        Asked.one(SqlStatement.LIST_LOAD_REJECTS, 1_010, SKU_ID, 0, id(0), 0, 1_000),
        // Each row counts twice: into the derived table, and out of it.
        Asked.one(SqlStatement.COUNT_TXNS, 6_060, SKU_ID, 1_000, SKU_ID, 1_000, SKU_ID, 1_000));
  }

  private static List<Asked> askedOfOutbox() {
    List<Object> ids = LongStream.rangeClosed(1, 256).<Object>mapToObj(id -> id).toList();
    List<Object> places =
        LongStream.rangeClosed(1, 256)
            .boxed()
            .flatMap(id -> Stream.<Object>of(id, partition(), 1_000L))
            .toList();
    return List.of(
        Asked.list(SqlStatement.MARK_SENT, List.of(), places).items(256),
        Asked.list(SqlStatement.DELETE_OUTBOX, List.of(), ids),
        Asked.one(SqlStatement.LIST_PENDING, 1_010, partition(), "EVENT", 0L, 1_000),
        Asked.list(
                SqlStatement.LIST_PENDING_OF_ALL, List.of(), List.of(partition()), "EVENT", 1_000)
            .most(1_010),
        // Each row counts twice: into the derived table, and out of it.
        Asked.one(SqlStatement.COUNT_PENDING, 10_020, partition(), "EVENT", 5_000),
        Asked.one(SqlStatement.LIST_PURGEABLE, 10_020, partition(), "RELEASE", 5_000, 2_000L),
        // Each row counts into and out of two derived tables, and then its payload is read.
        Asked.one(SqlStatement.LIST_SENT_EVENTS, 1_300, partition(), 256, 1 << 20)
            .mostOnMysql(1_800),
        // All that wait are looked at: none are where the bucket has none.
        Asked.one(
            SqlStatement.FIND_PENDING_RESTOCK, 20_000, partition(), 25, begin(","), begin("}")),
        Asked.one(SqlStatement.LOCK_OUTBOX_ROW, 4, 1L, partition(), 1_000L),
        Asked.one(SqlStatement.LIST_GLANCES, 80));
  }

  private static String begin(String next) {
    return "{\"sku_id\":%d,\"bucket\":0%s".formatted(SKU_ID, next);
  }

  private static List<Asked> askedOfBuckets() {
    return List.of(
        Asked.list(SqlStatement.LOCK_BUCKETS, List.of(), List.of(SKU_ID, 0)).items(1),
        Asked.one(SqlStatement.LIST_BUCKETS, 1_000, partition(), 0L, 0L, -1, 200),
        Asked.gone(partition()),
        Asked.one(SqlStatement.END_BUCKET, 8, SKU_ID, 0),
        Asked.one(SqlStatement.COUNT_UNENDED, 20, SKU_ID),
        Asked.one(SqlStatement.LIST_SKU_BUCKETS, 80, SKU_ID).items(1),
        Asked.one(SqlStatement.LOCK_SKU_BUCKETS, 20, SKU_ID),
        Asked.one(SqlStatement.READ_BUCKET, 20, SKU_ID, 0),
        Asked.one(SqlStatement.CHANGE_ALLOTMENT, 8, 1, SKU_ID, 0),
        Asked.one(SqlStatement.RAISE_EPOCH, 8, 1L, SKU_ID, 0, partition()),
        Asked.list(SqlStatement.RAISE_VERSIONS, List.of(), List.of(SKU_ID)).most(20),
        Asked.one(SqlStatement.UPDATE_COUNTERS, 12, "[[%d,0,1,0,0,0,1,1,0,0,0]]".formatted(SKU_ID)),
        Asked.one(SqlStatement.LIST_SKUS, 420, 0L, 50),
        Asked.one(SqlStatement.LOCK_SKU, 28, SKU_ID),
        Asked.one(SqlStatement.SHARE_SKU, 28, SKU_ID),
        Asked.list(SqlStatement.READ_SKUS, List.of(), List.of(SKU_ID)).most(28),
        Asked.one(SqlStatement.NOTE_FREEZE, 4, "why", SKU_ID));
  }

  private static List<Asked> askedOfTheRest() {
    return List.of(
        Asked.one(SqlStatement.ADVANCE_FENCES, 8, "[[9,1,0,1]]"),
        Asked.list(SqlStatement.LOCK_FENCES, List.of(), List.of(9)),
        Asked.one(SqlStatement.LOCK_FENCE, 4, 9),
        Asked.one(SqlStatement.TOUCH_FENCE, 4, 9),
        Asked.one(SqlStatement.READ_READING, 12, 9),
        Asked.one(SqlStatement.DELETE_INSTANCE, 12, "instance-1"),
        Asked.one(SqlStatement.CHANGE_FOUNDATION, 4, "0", "kafka_begin.0"),
        Asked.list(SqlStatement.LIST_REQUESTS, List.of(0L), List.of(0, 1), 200),
        Asked.list(SqlStatement.ANSWER_REQUESTS, List.of("{}"), List.of(1L, 2L)),
        Asked.one(SqlStatement.READ_ANSWER, 4, 1L),
        Asked.list(SqlStatement.DELETE_REQUESTS, List.of(), List.of(1L, 2L)),
        Asked.one(SqlStatement.LIST_PURGEABLE_REQUESTS, 2_020, 0, 1_000, 5L),
        Asked.one(SqlStatement.FIND_OPEN_REQUEST, 4, "open-1"),
        Asked.one(SqlStatement.READ_RESTOCK, 4, SKU_ID, "r-1"),
        Asked.one(SqlStatement.UPDATE_RESTOCK, 4, "DONE", 1, 0, SKU_ID, "r-1"),
        Asked.one(SqlStatement.LIST_RESTOCK_PARTS, 20, SKU_ID, "r-1"),
        Asked.one(SqlStatement.END_RESTOCK_PART, 8, "DONE", SKU_ID, "r-1", 0, 1),
        Asked.one(SqlStatement.LIST_CORRECTIONS, 120, 100),
        Asked.one(SqlStatement.READ_AUDIT, 60, Collections.nCopies(6, SKU_ID + 1).toArray()),
        Asked.one(SqlStatement.FIND_ORDERS, 210, 1L, 9L, 9L, SKU_ID, SKU_ID, 0, 0, id(0), 100),
        Asked.list(SqlStatement.DELETE_LOOKUPS, List.of(), List.of(1L, 1L, SKU_ID, 0, id(0)))
            .items(1),
        Asked.one(SqlStatement.READ_JOB, 2, "rain"),
        Asked.one(SqlStatement.LIST_JOBS, 10, "RUNNING", 100),
        Asked.one(SqlStatement.LOCK_FREE_JOB, 2),
        Asked.one(SqlStatement.STOP_JOB, 2, "rain"),
        Asked.one(SqlStatement.UPDATE_JOB, 2, "RUNNING", 1L, 0L, 0L, "", 1_000L, "rain", 1L),
        Asked.one(SqlStatement.LOCK_BAN, 4, "buyer-1"),
        Asked.list(SqlStatement.READ_BANS, List.of(), List.of("buyer-1", "buyer-2")),
        Asked.one(SqlStatement.LIST_BANS, 210, 1_500L, "", 1_500L, 200),
        Asked.one(SqlStatement.DELETE_BANS, 280, 500),
        Asked.list(SqlStatement.SUM_RESTOCKS, List.of(), List.of(9L), SKU_ID, "a", 1_000)
            .most(3_030),
        Asked.list(SqlStatement.SUM_HOLDS, List.of(), List.of(9L), SKU_ID, 0, 0, 1, 1, 100, 1_000)
            .most(3_030),
        Asked.list(
                SqlStatement.SUM_MOVES, List.of(), List.of(9L), SKU_ID, 0, 0, 1, 1, 9, 9, 1, 1_000)
            .most(3_030));
  }

  static int partition() {
    return Placements.partitionOf(new BucketId(SKU_ID, 0), PARTITIONS);
  }
}
