package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.RequestPipeline.BodyReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyReaderTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "application/json; charset=\"utf-8\"",
      })
  void shouldBeJsonWhenSaidSo(String contentType) {
    // when
    boolean json = BodyReader.isJson(contentType);

    // then
    assertThat(json).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "text/plain",
        "application/jsonx",
        "application/problem+json",
        "application/json; charset=iso-8859-1",
        "application/json, text/plain",
        "application/x-www-form-urlencoded",
      })
  void shouldNotBeJsonWhenSaidOtherwise(String contentType) {
    // when
    boolean json = BodyReader.isJson(contentType);

    // then
    assertThat(json).isFalse();
  }

  @Test
  void shouldNotBeJsonWhenNothingIsSaid() {
    // when
    boolean json = BodyReader.isJson(null);

    // then
    assertThat(json).isFalse();
  }
}
