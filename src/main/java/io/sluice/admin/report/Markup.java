package io.sluice.admin.report;

/** Writes HTML and SVG. Values are escaped; only constants of this package are markup. */
final class Markup {
  private final StringBuilder out = new StringBuilder();

  /** Appends a constant, or numbers. */
  Markup raw(String constant) {
    out.append(constant);
    return this;
  }

  /** Appends what another one has written. */
  Markup append(Markup other) {
    out.append(other.out);
    return this;
  }

  /** Appends a text. */
  Markup text(String text) {
    text.codePoints().forEach(this::escaped);
    return this;
  }

  /** An element with a text. */
  Markup element(String tag, String text) {
    return raw("<").raw(tag).raw(">").text(text).raw("</").raw(nameOf(tag)).raw(">\n");
  }

  private static String nameOf(String tag) {
    int end = tag.indexOf(' ');
    return end < 0 ? tag : tag.substring(0, end);
  }

  private void escaped(int codePoint) {
    switch (codePoint) {
      case '&' -> out.append("&amp;");
      case '<' -> out.append("&lt;");
      case '>' -> out.append("&gt;");
      case '"' -> out.append("&quot;");
      case '\'' -> out.append("&#39;");
      default -> {
        // Control characters are not allowed in HTML; those that turn the text around stay in it.
        if (codePoint >= ' ' || codePoint == '\n') {
          out.appendCodePoint(codePoint);
        }
      }
    }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
