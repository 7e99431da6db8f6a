package io.sluice.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SqlSessionTest {
  private static final Tuple BUCKET = Tuple.of(0, 1, 0, 0, 1, 1, 0);
  private static final Tuple STEP = Tuple.of(1, 1, 0, 5);

  private final ScriptedSql database = new ScriptedSql();

  @Test
  void shouldSendEachWriteAtOnceWhenThereIsNoTransaction() {
    // given
    SqlSession unit = database.session();

    // when
    unit.insert(SqlStatement.INSERT_BUCKETS, List.of(BUCKET));
    unit.updateRows(SqlStatement.ADVANCE_FENCES, List.of(STEP));

    // then
    assertThat(database.texts()).hasSize(2);
  }

  @Test
  void shouldSendWritesTogetherBeforeTheNextQuestionWhenInATransaction() {
    // given
    SqlSession unit = database.inTransaction();
    unit.updateRows(SqlStatement.ADVANCE_FENCES, List.of(STEP));
    unit.insert(SqlStatement.INSERT_BUCKETS, List.of(BUCKET));
    List<String> before = database.texts();

    // when
    unit.select(SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row);

    // then
    assertThat(before).isEmpty();
    assertThat(database.texts()).hasSize(1);
    assertThat(StatementNames.allOf(database.texts().get(0)))
        .containsExactly("advance_fences", "insert_buckets");
  }

  @Test
  void shouldFailWhenAWriteThatWaitedFindsTooFewRows() {
    // given
    SqlSession unit = database.inTransaction();
    Future<Void> written = unit.updateRows(SqlStatement.ADVANCE_FENCES, List.of(STEP, STEP));

    // when
    Future<Void> sent = unit.send();

    // then
    assertThat(written.succeeded()).isTrue();
    assertThat(sent.cause()).hasMessageContaining("Expected 2 rows of ADVANCE_FENCES");
  }

  @Test
  void shouldSendAWriteBeforeTheTextIsTooLongWhenInATransaction() {
    // given
    SqlSession unit = database.inTransaction();
    Tuple longest = Tuple.of(0, 1, 0, 0, 1, 1, "x".repeat(SqlSession.TEXT_CHARS_MAX / 3));

    // when
    IntStream.range(0, 5).forEach(i -> unit.insert(SqlStatement.INSERT_BUCKETS, List.of(longest)));
    unit.send();

    // then
    assertThat(database.texts()).hasSize(3);
    assertThat(database.texts()).allMatch(text -> text.length() <= SqlSession.TEXT_CHARS_MAX);
  }

  @Test
  void shouldNotForgetAWriteThatFailed() {
    // given
    SqlSession unit = database.inTransaction();
    unit.updateRows(SqlStatement.ADVANCE_FENCES, List.of(STEP, STEP));
    unit.select(SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row).otherwiseEmpty();

    // when
    Future<Void> sent = unit.send();

    // then
    assertThat(sent.failed()).isTrue();
  }
}
