package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
  private static Object read(String json) {
    return new JsonReader(json.getBytes(StandardCharsets.UTF_8)).read();
  }

  @Test
  void shouldReadEachKindOfValue() {
    // when
    Object value =
        read(
            " {\"a\" : [1, -9223372036854775808, 1.5e1, true, false, {}, []], \"n\": null,"
                + "\"t\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\u00fc\"}\n");

    // then
    assertThat(value)
        .isEqualTo(
            Map.of(
                "a",
                List.of(1L, Long.MIN_VALUE, 15.0, true, false, Map.of(), List.of()),
                "t",
                "\"\\/\b\f\n\r\t\u00e9\ud83d\ude00\u00fc"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "{",
        "{\"a\"}",
        "{\"a\":1,}",
        "{\"a\":1,\"a\":2}",
        "{a:1}",
        "[1,]",
        "[1 2]",
        "[null]",
        "[]]",
        "{} {}",
        "01",
        "+1",
        "1.",
        "-",
        "1e",
        "9223372036854775808",
        "tru",
        "\"a",
        "\"\n\"",
        "\"\\x\"",
        "\"\\u12g4\""
      })
  void shouldRefuseWhatIsNoJson(String json) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(JsonException.class);
  }

  @Test
  void shouldRefuseBytesThatAreNoUtf8() {
    assertThatThrownBy(() -> new JsonReader(new byte[] {'"', (byte) 0xff, '"'}))
        .isInstanceOf(JsonException.class);
  }

  @Test
  void shouldRefuseValuesTooDeepWithinEachOther() {
    // given
    String deepest = "[".repeat(JsonReader.DEPTH_MAX) + "]".repeat(JsonReader.DEPTH_MAX);

    // when
    Object read = read(deepest);

    // then
    assertThat(read).isInstanceOf(List.class);
    assertThatThrownBy(() -> read("[" + deepest + "]")).isInstanceOf(JsonException.class);
  }

  @Test
  void shouldReadWhatTheWriterWrites() {
    // given
    Map<String, Object> object =
        Map.of("a\"b", List.of("\\ \n \u00e9 \ud83d\ude00", 7, Map.of("c", 8L)));

    // when
    Object read = read(JsonWriter.write(object));

    // then
    assertThat(read)
        .isEqualTo(Map.of("a\"b", List.of("\\ \n \u00e9 \ud83d\ude00", 7L, Map.of("c", 8L))));
  }
}
