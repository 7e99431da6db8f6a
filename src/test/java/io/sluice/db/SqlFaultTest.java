package io.sluice.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.VertxException;
import io.vertx.mysqlclient.MySQLException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFaultTest {

  // Error codes and SQL states that the servers send.
  @ParameterizedTest
  @CsvSource({
    "1213, 40001, CONTENTION",
    "1205, HY000, CONTENTION",
    "1020, HY000, CONTENTION",
    "1062, 23000, DUPLICATE",
    "1264, 22003, DATA",
    "1406, 22001, DATA",
    "1366, HY000, DATA",
    "1366, 22007, DATA",
    "1292, 22007, DATA",
    "1265, 01000, DATA",
    "1048, 23000, DATA",
    "1690, 22003, DATA",
    "3819, HY000, DATA",
    "4025, 23000, DATA",
    "1290, HY000, READ_ONLY",
    "1836, HY000, READ_ONLY",
    "1792, 25006, READ_ONLY",
    "3100, HY000, READ_ONLY",
    "1021, HY000, UNAVAILABLE",
    "1114, HY000, UNAVAILABLE",
    "3, HY000, UNAVAILABLE",
    "1969, 70100, UNAVAILABLE",
    "3024, HY000, UNAVAILABLE",
    "1053, 08S01, UNAVAILABLE",
    "1040, 08004, UNAVAILABLE",
    "1146, 42S02, UNAVAILABLE",
  })
  void shouldTellDataFromTheRestWhenTheServerRefuses(int code, String state, SqlFault fault) {
    // given
    Throwable refusal = new MySQLException("refused", code, state);

    // when
    SqlFault found = SqlFault.of(refusal);

    // then
    assertThat(found).isEqualTo(fault);
  }

  @Test
  void shouldBeUnavailableWhenTheServerSaysNothing() {
    // when
    SqlFault closed = SqlFault.of(new VertxException("Connection closed", true));
    SqlFault late = SqlFault.of(new TimeoutException());

    // then
    assertThat(closed).isEqualTo(SqlFault.UNAVAILABLE);
    assertThat(late).isEqualTo(SqlFault.UNAVAILABLE);
  }

  @ParameterizedTest
  @CsvSource({
    "CONTENTION, UNAVAILABLE",
    "DUPLICATE, DATA",
    "DATA, DATA",
    "READ_ONLY, UNAVAILABLE",
    "UNAVAILABLE, UNAVAILABLE"
  })
  void shouldEndAsOneOfTwoWhenNoAttemptIsLeft(SqlFault fault, SqlFault last) {
    // when
    SqlFault told = fault.afterLastAttempt();

    // then
    assertThat(told).isEqualTo(last);
  }
}
