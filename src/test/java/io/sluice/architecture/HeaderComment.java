package io.sluice.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The comment at the top of a Lua or SQL file: its first line comments ({@code --}), or one block
 * ({@code --[[ ]]}, {@code /* *}{@code /}).
 *
 * @param text its lines without comment marks
 * @param lineCount number of lines that it takes in the file
 */
record HeaderComment(List<String> text, int lineCount) {

  static HeaderComment of(List<String> lines) {
    if (lines.isEmpty()) {
      return new HeaderComment(List.of(), 0);
    }
    String first = lines.get(0).strip();
    if (first.startsWith("--[[")) {
      return untilLineWith(lines, "]]");
    }
    return first.startsWith("/*") ? untilLineWith(lines, "*/") : lineComments(lines);
  }

  /** Whether the first line is a sentence about the purpose, before any labelled part. */
  boolean startsWithPurpose(List<String> labels) {
    return text.stream()
        .filter(line -> !line.isEmpty())
        .findFirst()
        .map(line -> labels.stream().noneMatch(label -> isLabelled(line, label)))
        .orElse(false);
  }

  boolean has(String label) {
    return text.stream().anyMatch(line -> isLabelled(line, label));
  }

  private static boolean isLabelled(String line, String label) {
    String upper = line.toUpperCase(Locale.ROOT);
    return upper.startsWith(label)
        && (upper.length() == label.length() || !Character.isLetter(upper.charAt(label.length())));
  }

  private static HeaderComment untilLineWith(List<String> lines, String end) {
    List<String> text = new ArrayList<>();
    for (String line : lines) {
      text.add(withoutMarks(line));
      if (line.contains(end)) {
        break;
      }
    }
    return new HeaderComment(text, text.size());
  }

  private static HeaderComment lineComments(List<String> lines) {
    List<String> text =
        lines.stream()
            .takeWhile(line -> line.strip().startsWith("--"))
            .map(HeaderComment::withoutMarks)
            .toList();
    return new HeaderComment(text, text.size());
  }

  private static String withoutMarks(String line) {
    return line.strip()
        .replaceFirst("^(--\\[\\[|--+|/\\*+|\\*+/|\\*)", "")
        .replaceFirst("(\\]\\](--)?|\\*+/)$", "")
        .strip();
  }
}
