package io.sluice.ledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.db.ScriptedSql;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.RestockPlan.Restock;
import io.sluice.ledger.rules.RestockPlan.Restock.Status;
import io.sluice.model.BucketId;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.Skus;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows that each step of a take-back writes, for a SKU of 20 units in two buckets. */
class StockReductionTest {
  private static final long SKU = 7;
  private static final Sku TWENTY =
      Skus.open(
          SKU, 20, 2, Sku.Mode.FAST, new SkuSettings(300, 0, 0, 0), new Placement(List.of(0, 0)));

  private final ScriptedSql database = new ScriptedSql();

  @BeforeEach
  void holdFiveOfEachBucket() {
    database.answer(SqlStatement.READ_CLOCK, List.of(1_000L));
    database.answer(SqlStatement.LIST_RESTOCK_PARTS);
    buckets(10, 10);
  }

  @Test
  void shouldAskTheBucketsFirstWhenItBegins() {
    // when
    Restock restock = takeBack(4).begin().result();

    // then
    assertThat(restock).isEqualTo(new Restock(-4, Status.WORKING, 1, 0));
    assertThat(recorded()).containsExactly(List.of("WORKING", 1, 0L, SKU, "r1"));
    assertThat(totals()).as("nothing is taken yet").isEmpty();
    assertThat(database.written())
        .hasSize(2)
        .allSatisfy(sql -> assertThat(sql).contains("r1"))
        .last()
        .asString()
        .contains("TAKE");
  }

  /** The parts, which bucket has given how much now, and what follows. */
  static Stream<Arguments> parts() {
    return Stream.of(
        arguments(
            named("is still out", List.of(List.of(0, 1, 2, "TAKEN"), List.of(1, 1, 2, "PENDING"))),
            Map.of(0, -2L),
            new Restock(-4, Status.WORKING, 1, 0),
            18L,
            List.of(),
            0),
        arguments(
            named("was the last", List.of(List.of(0, 1, 3, "TAKEN"), List.of(1, 2, 1, "TAKEN"))),
            Map.of(1, -1L),
            new Restock(-4, Status.DONE, 2, 0),
            19L,
            List.of(List.of("DONE", 2, 0L, SKU, "r1")),
            1),
        arguments(
            named("is refused", List.of(List.of(0, 1, 2, "TAKEN"), List.of(1, 1, 2, "REFUSED"))),
            Map.of(0, -2L),
            new Restock(-4, Status.WORKING, 2, 0),
            18L,
            List.of(List.of("WORKING", 2, 0L, SKU, "r1")),
            2));
  }

  @ParameterizedTest(name = "a part {0}")
  @MethodSource("parts")
  void shouldLowerTheTotalAndGoOn(
      List<List<Object>> parts,
      Map<Integer, Long> taken,
      Restock expected,
      long total,
      List<List<Object>> recorded,
      int written) {
    // given
    database.answer(SqlStatement.LIST_RESTOCK_PARTS, parts.get(0), parts.get(1));

    // when
    Restock restock = takeBack(4).proceed(taken).result();

    // then
    assertThat(restock).isEqualTo(expected);
    assertThat(totals()).containsExactly(total);
    assertThat(recorded()).isEqualTo(recorded);
    assertThat(database.written()).hasSize(written);
  }

  @Test
  void shouldGiveBackAllThatWasTakenWhenTogetherTheyHaveTooFew() {
    // given
    buckets(5, 10);
    database.answer(
        SqlStatement.LIST_RESTOCK_PARTS, List.of(0, 1, 5, "TAKEN"), List.of(1, 1, 5, "REFUSED"));

    // when
    Restock restock = takeBack(10).proceed(Map.of()).result();

    // then
    assertThat(restock).isEqualTo(new Restock(-10, Status.REFUSED, 1, 9));
    assertThat(recorded()).containsExactly(List.of("REFUSED", 1, 9L, SKU, "r1"));
    assertThat(database.ran(SqlStatement.CHANGE_ALLOTMENT)).containsExactly(List.of(5L, SKU, 0));
    assertThat(totals()).containsExactly(25L);
    assertThat(database.written()).first().asString().contains("r1#0#undo");
  }

  @Test
  void shouldTakeFromTheBucketThatTheIntentNames() {
    // given
    var take = new OutboxPayload.Take(new BucketId(SKU, 1), "r1", 1, 3);

    // when
    Map<Integer, Long> changes = StockReduction.taken(take);

    // then
    assertThat(changes).isEqualTo(Map.of(1, -3L));
  }

  /** Sets these allotments of the two buckets, with 3 units held and 2 sold in each. */
  private void buckets(long first, long second) {
    database.answer(
        SqlStatement.LOCK_SKU_BUCKETS,
        List.of(SKU, 0, 0, first, 3, 2, 1, 1, 5L, 0L, 0L, 0L, 0L, 0L, 0L),
        List.of(SKU, 1, 0, second, 3, 2, 1, 1, 5L, 0L, 0L, 0L, 0L, 0L, 0L));
  }

  private StockReduction takeBack(long wanted) {
    SqlSession session = database.session();
    Future<SkuTransaction> held = SkuTransaction.on(session, TWENTY);
    assertThat(held.cause()).isNull();
    return new StockReduction(session, held.result(), "r1", wanted);
  }

  private List<List<Object>> recorded() {
    return database.ran(SqlStatement.UPDATE_RESTOCK);
  }

  private List<Long> totals() {
    return database.ran(SqlStatement.UPDATE_SKUS).stream()
        .map(parameters -> new JsonArray((String) parameters.get(0)).getJsonArray(0))
        .map(row -> row.getLong(2))
        .toList();
  }
}
