package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {

  @ParameterizedTest
  @CsvSource({
    "1,1970-01-01T00:00:00.001Z",
    "951782399999,2000-02-28T23:59:59.999Z",
    "951782400000,2000-02-29T00:00:00.000Z",
    "1795248000123,2026-11-21T08:00:00.123Z",
    "253402300799999,9999-12-31T23:59:59.999Z",
    "-1,1969-12-31T23:59:59.999Z",
  })
  void shouldSpellMillisecondsInUtcWhenWritten(long epochMs, String text) {
    // when
    String written = Rfc3339.append(new StringBuilder(), epochMs).toString();

    // then
    assertThat(written).isEqualTo(text);
    assertThat(Instant.parse(written).toEpochMilli()).isEqualTo(epochMs);
  }

  @Test
  void shouldSayNullWhenNoTimeIsSet() {
    // when
    String written = Rfc3339.orNull(0);

    // then
    assertThat(written).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-21T08:00:00.123Z,1795248000123",
    "2026-11-21T08:00:00.1Z,1795248000100",
    "2026-11-21T08:00:00Z,1795248000000",
    "2026-11-21T09:00:00+01:00,1795248000000",
    "2026-11-20T22:30:00.123-09:30,1795248000123",
    "2026-11-21T08:00:00-00:00,1795248000000",
  })
  void shouldReadTheMomentWhenWellFormed(String text, long epochMs) {
    // when
    long read = Rfc3339.parse(text).orElseThrow();

    // then
    assertThat(read).isEqualTo(epochMs);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-11-21",
        "2026-11-21T08:00:00",
        "2026-11-21 08:00:00Z",
        "2026-11-21T08:00:00+0100",
        "2026-11-21T08:00:00+01",
        "2026-11-21T08:00:00+01:60",
        "2026-11-21T08:00:00+19:00",
        "2026-11-21T08:00:00Z+01:00",
        "1970-01-01T00:30:00+01:00",
        "2026-11-21T08:00:00.1234Z",
        "2026-02-30T08:00:00Z",
        "2026-13-01T08:00:00Z",
        "2026-11-21T25:00:00Z",
        "1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00Z",
      })
  void shouldReadNothingWhenItIsAnotherForm(String text) {
    // when
    boolean read = Rfc3339.parse(text).isPresent();

    // then
    assertThat(read).isFalse();
  }
}
