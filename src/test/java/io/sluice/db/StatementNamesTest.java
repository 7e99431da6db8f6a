package io.sluice.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatementNamesTest {
  /**
   * Otherwise two statements with the same beginning would be confused, and no instance be killed
   * after one of them.
   */
  @ParameterizedTest
  @EnumSource
  void shouldKnowAStatementByItsText(SqlStatement statement) {
    // given
    String sql = statement.text(statement.repeats() ? 2 : 0);

    // when
    String found = StatementNames.of(sql);

    // then
    assertThat(found).isEqualTo(statement.name().toLowerCase(Locale.ROOT));
  }
}
