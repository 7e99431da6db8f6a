package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.ProblemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each problem is explained, in the docs as at its own address. */
class ProblemPagesTest {

  @Test
  void shouldSayInTheDocsWhatEachTypeSays() throws IOException {
    // when
    List<String> rows =
        Files.readAllLines(Path.of("docs", "problems.md")).stream()
            .filter(line -> line.startsWith("| `"))
            .toList();

    // then
    assertThat(rows)
        .containsExactlyElementsOf(
            Stream.of(ProblemType.values())
                .map(
                    type ->
                        "| `%s` | %d | %s | %s |"
                            .formatted(type.word(), type.status(), type.title(), type.remedy()))
                .toList());
  }
}
