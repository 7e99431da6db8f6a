package io.sluice.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProblemTest {
  /** What is answered before there is a request had no word about caches. */
  @Test
  void shouldBeKeptByNoCacheWhenItIsSentAsBytes() {
    assertThat(Problem.MALFORMED_REQUEST.lastHttp().toString(US_ASCII))
        .startsWith("HTTP/1.1 400 Bad Request\r\n")
        .contains("\r\ncache-control: no-store\r\n")
        .contains("\r\nconnection: close\r\n");
    assertThat(Problem.OVERLOADED.http().toString(US_ASCII))
        .contains("\r\ncache-control: no-store\r\n");
  }
}
