package io.sluice.ledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.db.ScriptedSql;
import io.sluice.db.SqlStatement;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a row becomes. */
class ColumnsTest {
  record Flag(boolean isSet) {}

  /** Of 256, and of one time in 256, the last byte is 0. */
  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "255, true", "256, true", "1795248000000, true"})
  void shouldTakeAnyNumberButNoughtForTrue(long number, boolean expected) {
    // given
    ScriptedSql database = new ScriptedSql();
    database.answer(SqlStatement.READ_CLOCK, List.of(number));

    // when
    Flag flag =
        database
            .session()
            .only(SqlStatement.READ_CLOCK, Tuple.tuple(), Columns.to(Flag.class))
            .result();

    // then
    assertThat(flag).isEqualTo(new Flag(expected));
  }
}
