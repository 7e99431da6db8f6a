package io.sluice.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the docs show of the sample shop is what {@code JavaClientIT} runs. */
class SampleShopTest {
  private static final Path SHOP = Path.of("src/test/java/io/sluice/shop/SampleShop.java");
  private static final Path PAGE = Path.of("docs/integrate.md");
  private static final int LINES_MAX = 200;
  private static final Pattern QUOTE = Pattern.compile("(?s)```java\n(.*?)```");

  /** Without indents and empty lines. */
  private static String plain(Stream<String> lines) {
    return lines
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void shouldBeQuotedAsItIs() throws IOException {
    // given
    String shop = plain(Files.readString(SHOP).lines());

    // when
    List<String> quotes =
        QUOTE
            .matcher(Files.readString(PAGE))
            .results()
            .map(quote -> plain(quote.group(1).lines()))
            .toList();

    // then
    assertThat(quotes).isNotEmpty().allSatisfy(quote -> assertThat(shop).contains(quote));
  }

  @Test
  void shouldBeShort() throws IOException {
    assertThat(Files.readAllLines(SHOP)).hasSizeLessThanOrEqualTo(LINES_MAX);
  }
}
