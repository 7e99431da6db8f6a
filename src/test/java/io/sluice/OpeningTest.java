package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OpeningTest {
  /** A restored ledger drew a second id at once while Redis was down or loading its file. */
  @ParameterizedTest
  @EnumSource(value = ConnectFault.class, names = "OTHER_LEDGER", mode = EnumSource.Mode.EXCLUDE)
  void shouldNotKnowWhetherRedisNamesALedgerWhenItCannotBeAsked(ConnectFault fault) {
    // given
    var cause = new ConnectFailure(fault, "away");

    // when
    Future<Boolean> names = Opening.names(Future.failedFuture(cause));

    // then
    assertThat(names.cause()).isSameAs(cause);
  }

  @Test
  void shouldKnowWhetherRedisNamesALedgerWhenItWasAsked() {
    // when
    Future<Boolean> some =
        Opening.names(Future.failedFuture(new ConnectFailure(ConnectFault.OTHER_LEDGER, "named")));
    Future<Boolean> none = Opening.names(Future.succeededFuture());

    // then
    assertThat(some.result()).isTrue();
    assertThat(none.result()).isFalse();
  }
}
