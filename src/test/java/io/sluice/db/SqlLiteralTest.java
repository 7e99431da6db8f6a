package io.sluice.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.sqlclient.Tuple;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlLiteralTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1}   | '{\"a\":1}'",
        "a?b         | 'a?b'",
        "it's        | _utf8mb4 X'69742773'",
        "\\          | _utf8mb4 X'5C'",
        "\u00e4      | _utf8mb4 X'C3A4'",
        "``          | ''",
      })
  void shouldNotEndItsLiteralWhenATextIsWritten(String text, String literal) {
    // given
    StringBuilder sql = new StringBuilder();

    // when
    SqlLiteral.append(sql, text);

    // then
    assertThat(sql).hasToString(literal);
  }

  @Test
  void shouldFillEachPlaceWhenRowsAreWritten() {
    // given
    SqlTemplate unit = SqlTemplate.parse("VALUES {rows 3} END");

    // when
    SqlTemplate.Written written =
        unit.written(List.of(Tuple.of("a?", 1, null), Tuple.of("b", -2L, 3)), 0);

    // then
    assertThat(written)
        .isEqualTo(new SqlTemplate.Written("VALUES ('a?', 1, NULL), ('b', -2, 3) END", 2));
  }

  @Test
  void shouldStayBoundedWhenRowsAreManyOrLong() {
    // given
    SqlTemplate unit = SqlTemplate.parse("VALUES {rows 1}");
    List<Tuple> many = Collections.nCopies(SqlTemplate.ROWS_MAX + 1, Tuple.of(1));
    List<Tuple> longOnes = Collections.nCopies(3, Tuple.of("x".repeat(SqlTemplate.CHARS_MAX)));

    // when
    int endOfMany = unit.written(many, 0).end();

    // then
    assertThat(endOfMany).isEqualTo(SqlTemplate.ROWS_MAX);
    assertThat(unit.written(many, endOfMany).end()).isEqualTo(many.size());
    assertThat(unit.written(longOnes, 1).end()).isEqualTo(2);
  }

  @Test
  void shouldRefuseWhenAValueHasNoLiteral() {
    // when
    var writing = assertThatThrownBy(() -> SqlLiteral.append(new StringBuilder(), 1.5));

    // then
    writing.isInstanceOf(IllegalArgumentException.class);
  }
}
