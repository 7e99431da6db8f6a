package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.process.LogWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file in which a health check finds the address of the management port. */
class AddressFileTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1",
    "0.0.0.0, 127.0.0.1",
    "::, 127.0.0.1",
    "0:0:0:0:0:0:0:0, 127.0.0.1",
    "::1, ::1",
    "10.1.2.3, 10.1.2.3",
    "localhost, localhost",
  })
  void shouldNameAnAddressThatCanBeReachedWhenWritten(String host, String reachable)
      throws IOException {
    // given
    Path file = folder.resolve("admin");
    Files.writeString(file, "127.0.0.1 1\nof an earlier run\n");

    // when
    Main.writeAddress(file, host, 9_181, false);

    // then
    assertThat(file).hasContent(reachable + " 9181");
    assertThat(folder.toFile().list()).containsExactly("admin");
  }

  @Test
  void shouldNameTheSchemeWhenThePortSpeaksTls() {
    // given
    Path file = folder.resolve("admin");

    // when
    Main.writeAddress(file, "127.0.0.1", 9_181, true);

    // then
    assertThat(file).hasContent("127.0.0.1 9181 https");
  }

  @Test
  void shouldSayWhyAndGoOnWhenItCannotBeWritten() {
    try (LogWatch log = LogWatch.of(Main.class)) {
      // when
      Main.writeAddress(folder.resolve("missing").resolve("admin"), "127.0.0.1", 9_181, false);

      // then
      assertThat(log.lines()).hasSize(1);
      assertThat(log.lines().get(0)).startsWith("WARN ").contains("address file", "missing");
    }
  }
}
