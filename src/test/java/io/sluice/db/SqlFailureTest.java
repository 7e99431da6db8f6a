package io.sluice.db;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.monitor.ConnectFault;
import io.vertx.mysqlclient.MySQLException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFailureTest {

  // Error codes that the servers send while a client connects.
  @ParameterizedTest
  @CsvSource({
    "1045, LOGIN_REFUSED",
    "1698, LOGIN_REFUSED",
    "1044, PERMISSION_MISSING",
    "1142, PERMISSION_MISSING",
    "3159, TLS_REQUIRED",
    "1043, NOT_TLS",
    "1049, FAILED",
  })
  void shouldTellWhyTheServerCannotBeUsed(int code, ConnectFault fault) {
    // given
    Throwable answer = new MySQLException("refused", code, "HY000");

    // when
    ConnectFault found =
        ConnectFault.of(
            new IllegalStateException(
                new SqlFailure(
                    SqlFault.UNAVAILABLE, new SqlFailure(SqlFault.UNAVAILABLE, answer))));

    // then
    assertThat(found).isEqualTo(fault);
  }

  @Test
  void shouldBeUnreachableWhenThereIsNoConnection() {
    // when
    var refused = new SqlFailure(SqlFault.UNAVAILABLE, new ConnectException("refused"));
    var closed = new SqlFailure(SqlFault.UNAVAILABLE, ClosedConnectionException.INSTANCE);

    // then
    assertThat(refused.connectFault()).isEqualTo(ConnectFault.UNREACHABLE);
    assertThat(closed.connectFault()).isEqualTo(ConnectFault.UNREACHABLE);
  }
}
