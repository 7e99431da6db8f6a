package io.sluice.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SqlTemplateTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          VALUES {rows 2}     | 1 | VALUES (?, ?)
          VALUES {rows 2}     | 3 | VALUES (?, ?), (?, ?), (?, ?)
          IN ({list}) AND x   | 2 | IN (?, ?) AND x
          WHERE {buckets}     | 2 | WHERE (sku_id = ? AND bucket = ?) OR (sku_id = ? AND bucket = ?)
          FROM ({union}(?){end}) x | 1 | FROM ((?)) x
          SELECT 1            | 0 | SELECT 1
          """)
  void shouldRepeatItsPlaceWhenThereAreItems(String template, int items, String text) {
    // when
    String sql = SqlTemplate.parse(template).text(items);

    // then
    assertThat(sql).isEqualTo(text);
  }

  @Test
  void shouldUniteQueriesWhenItAsksForSeveral() {
    // when
    String sql = SqlTemplate.parse("FROM ({union}\n (a = ?)\n UNION ALL (b = ?){end}) x").text(2);

    // then
    assertThat(sql.replaceAll("\\s+", " "))
        .isEqualTo("FROM ( (a = ?) UNION ALL (b = ?) UNION ALL (a = ?) UNION ALL (b = ?)) x");
  }

  @ParameterizedTest
  @CsvSource({"SELECT 1, 1", "IN ({list}), 0"})
  void shouldRefuseWhenTheSizeDoesNotFit(String template, int items) {
    // given
    SqlTemplate unit = SqlTemplate.parse(template);

    // when
    var filling = assertThatThrownBy(() -> unit.text(items));

    // then
    filling.isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldStripTheHeaderWhenLoaded() {
    // when
    String sql = SqlTemplate.withoutHeader("-- Purpose.\n-- RETURNS: x\n\nSELECT a\nFROM b\n");

    // then
    assertThat(sql).isEqualTo("SELECT a\nFROM b");
  }

  @ParameterizedTest
  @EnumSource(SqlStatement.class)
  void shouldSendNoCommentWhenAStatementIsRun(SqlStatement statement) {
    // when
    String head = statement.text(statement.repeats() ? 1 : 0);

    // then
    assertThat(head).isNotBlank().doesNotContain("--").doesNotContain(";");
  }
}
