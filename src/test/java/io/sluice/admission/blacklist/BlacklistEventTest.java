package io.sluice.admission.blacklist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlacklistEventTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("(?ms)^### `BLACKLIST_CHANGED`$.*?^```json\n(.*?)\n```$");

  @Test
  void shouldBeSentAsThePageShowsIt() throws IOException {
    // given
    Matcher page = EXAMPLE.matcher(Files.readString(Path.of("docs", "events.md")));
    assertThat(page.find()).isTrue();
    String example = page.group(1);

    // when
    BlacklistEvent read = BlacklistEvent.read(example).orElseThrow();

    // then
    assertThat(read.ban().userId()).isEqualTo("alice");
    assertThat(read.written().payload()).isEqualTo(example);
    assertThat(read.written().key()).isEqualTo("alice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"user_id\":\"alice\"}",
        "{\"user_id\":[],\"version\":1,\"at\":1}",
        "{\"user_id\":\"a b\",\"version\":1,\"at\":1}",
        "{\"user_id\":\"alice\",\"version\":\"x\",\"at\":1}",
      })
  void shouldBeIgnoredWhenItCannotBeRead(String payload) {
    assertThat(BlacklistEvent.read(payload)).isEmpty();
  }
}
