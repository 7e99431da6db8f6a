package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceHeaderTest {
  @Test
  void shouldReadTheIdThatItHasWritten() {
    // given
    Headers headers = new RecordHeaders();
    new InstanceHeader("2f1a-7").addTo(headers);

    // when
    String read = InstanceHeader.in(headers);

    // then
    assertThat(read).isEqualTo("2f1a-7");
  }

  @Test
  void shouldReadNothingWhenThereIsNone() {
    // when
    String read = InstanceHeader.in(new RecordHeaders());

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
    headers.add(InstanceHeader.NAME, value == null ? null : value.getBytes(UTF_8));

    // when
    String read = InstanceHeader.in(headers);

    // then
    assertThat(read).isNull();
  }
}
