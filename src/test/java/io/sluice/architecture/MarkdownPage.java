package io.sluice.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A Markdown page: its headings and links. */
final class MarkdownPage {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern HEADING = Pattern.compile("#{1,6} +");
  private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N} _-]");

  /** The lines outside of fenced code. */
  private final List<String> lines = new ArrayList<>();

  MarkdownPage(List<String> all) {
    boolean fenced = false;
    for (String line : all) {
      boolean fence = line.startsWith("```");
      if (!fenced && !fence) {
        lines.add(line);
      }
      fenced ^= fence;
    }
  }

  List<String> headings() {
    return lines.stream()
        .filter(line -> HEADING.matcher(line).lookingAt())
        .map(line -> HEADING.matcher(line).replaceFirst(""))
        .toList();
  }

  /** What may follow the {@code #} of a link to this page. */
  Set<String> anchors() {
    return headings().stream().map(MarkdownPage::anchor).collect(Collectors.toSet());
  }

  /** The targets of all links, external ones included. */
  List<String> links() {
    return lines.stream()
        .map(line -> CODE.matcher(line).replaceAll("code"))
        .flatMap(line -> LINK.matcher(line).results())
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  private static String anchor(String heading) {
    return NOT_IN_ANCHORS
        .matcher(heading.toLowerCase(Locale.ROOT))
        .replaceAll("")
        .strip()
        .replace(' ', '-');
  }
}
