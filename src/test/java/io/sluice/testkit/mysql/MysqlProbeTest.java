package io.sluice.testkit.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MysqlProbeTest {
  @ParameterizedTest
  @CsvSource({
    "11.4.5-MariaDB, MariaDB 11.4.5",
    "5.5.5-10.11.6-MariaDB-0+deb12u1, MariaDB 10.11.6",
    "8.4.3, MySQL 8.4.3",
    "9.1.0-commercial, MySQL 9.1.0",
    "homegrown, MySQL homegrown"
  })
  void shouldNameTheProductWhenGreeted(String greeting, String product) {
    assertThat(MysqlProbe.product(greeting)).isEqualTo(product);
  }
}
