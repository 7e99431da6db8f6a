package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.db.SqlStatement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TappedPoolTest {
  static Stream<String> ledgerStatements() {
    return Arrays.stream(SqlStatement.values())
        .map(statement -> statement.name().toLowerCase(Locale.ROOT))
        .filter(name -> TappedPoolTest.class.getResource(pathOf(name)) != null);
  }

  /**
   * Otherwise two statements with the same beginning would be confused, and no instance be killed
   * after one of them.
   */
  @ParameterizedTest
  @MethodSource("ledgerStatements")
  void shouldKnowAStatementByItsText(String name) throws IOException {
    // given
    String file;
    try (InputStream stream = TappedPoolTest.class.getResourceAsStream(pathOf(name))) {
      file = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
    String sql = file.replaceAll("(?m)^--.*\n", "").replaceAll("\\{[^}]*}", "?, ?").strip();

    // when
    String found = TappedPool.nameOf(sql);

    // then
    assertThat(found).isEqualTo(name);
  }

  private static String pathOf(String name) {
    return "/sql/ledger/" + name + ".sql";
  }
}
