package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.RequestPipeline.BodyReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyReaderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json|true",
        "Application/JSON|true",
        "application/json; charset=utf-8|true",
        "application/json;charset=UTF-8|true",
        "application/json; charset=\"utf-8\"|true",
        "|false",
        "''|false",
        "text/plain|false",
        "application/jsonx|false",
        "application/problem+json|false",
        "application/json; charset=iso-8859-1|false",
        "application/json, text/plain|false",
        "application/x-www-form-urlencoded|false",
      })
  void shouldBeJsonWhenSaidSo(String contentType, boolean isJson) {
    assertThat(BodyReader.isJson(contentType)).isEqualTo(isJson);
  }
}
