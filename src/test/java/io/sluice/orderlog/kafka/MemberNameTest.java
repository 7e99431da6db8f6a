package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is in the group, as it is described. */
class MemberNameTest {
  @Test
  void shouldNameItsLedger() {
    assertThat(MemberName.ledgerIn("sluice:ledger:0a1b2c3d4e5f:12")).contains("0a1b2c3d4e5f");
  }

  /** Their groups were taken for ledgers: no instance could be replaced by one of this release. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "consumer-sluice-ledger-1",
        "consumer-sluice-ledger-2-1",
        "consumer-ledger-b5aede5a-1",
        "consumer-shop-ledger-0a1b2c3d4e5f-7"
      })
  void shouldNameNoneWhenItIsOfAReleaseThatNamesNone(String clientId) {
    assertThat(MemberName.ledgerIn(clientId)).isEmpty();
  }
}
