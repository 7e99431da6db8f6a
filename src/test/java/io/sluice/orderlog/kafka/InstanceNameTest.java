package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceNameTest {
  @Test
  void shouldReadTheIdThatItHasWritten() {
    // given
    Headers headers = new RecordHeaders();
    new InstanceName("2f1a-7").addTo(headers);

    // when
    String read = InstanceName.in(headers);

    // then
    assertThat(read).isEqualTo("2f1a-7");
  }

  @Test
  void shouldReadNothingWhenThereIsNone() {
    // when
    String read = InstanceName.in(new RecordHeaders());

    // then
    assertThat(read).isNull();
  }

  /** Whatever a foreign producer writes, it does not reach the logs. */
  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "two words",
        "a\nALARM: no",
        "caf\u00e9",
        "12345678901234567890123456789012345678901234567890123456789012345"
      })
  void shouldReadNothingWhenItIsNoId(String value) {
    // given
    Headers headers = new RecordHeaders();
    headers.add(InstanceName.HEADER, value == null ? null : value.getBytes(UTF_8));

    // when
    String read = InstanceName.in(headers);

    // then
    assertThat(read).isNull();
  }

  @Test
  void shouldNameTheLedgerOfAMember() {
    assertThat(InstanceName.ledgerIn("sluice:ledger:0a1b2c3d4e5f:12")).contains("0a1b2c3d4e5f");
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
    assertThat(InstanceName.ledgerIn(clientId)).isEmpty();
  }
}
