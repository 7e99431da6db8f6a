package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterVerdictTest {
  /** A second id was drawn, since the primary that named a ledger was not the first to fail. */
  @ParameterizedTest
  @EnumSource(ConnectFault.class)
  void shouldTellOfAnotherLedgerWhateverElseIsWrong(ConnectFault fault) {
    // given
    var first = new ConnectFailure(fault, "first");
    var named = new ConnectFailure(ConnectFault.OTHER_LEDGER, "names another");

    // when
    Throwable verdict = ClusterStock.verdict(2, List.of(first, named)).cause();

    // then
    assertThat(((ConnectFailure) verdict).connectFault()).isEqualTo(ConnectFault.OTHER_LEDGER);
  }
}
