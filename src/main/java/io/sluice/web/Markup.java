package io.sluice.web;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes HTML and SVG. Values are escaped; only constants of the program are markup. */
public final class Markup {
  private static final Pattern MARKED = Pattern.compile("`([^`]+)`|\\*\\*([^*]+)\\*\\*");

  private final StringBuilder out = new StringBuilder();

  /** Appends a constant, or numbers. */
  public Markup raw(String constant) {
    out.append(constant);
    return this;
  }

  /** Appends what another one has written. */
  public Markup append(Markup other) {
    out.append(other.out);
    return this;
  }

  /** Appends a text. */
  public Markup text(String text) {
    text.codePoints().forEach(this::escaped);
    return this;
  }

  /** An element with a text. */
  public Markup element(String tag, String text) {
    return raw("<").raw(tag).raw(">").text(text).raw("</").raw(nameOf(tag)).raw(">\n");
  }

  /** Appends a text in which `this` is code, and **this** is strong. */
  public Markup prose(String text) {
    Matcher marked = MARKED.matcher(text);
    int at = 0;
    while (marked.find()) {
      text(text.substring(at, marked.start()));
      if (marked.group(1) == null) {
        raw("<strong>").prose(marked.group(2)).raw("</strong>");
      } else {
        raw("<code>").text(marked.group(1)).raw("</code>");
      }
      at = marked.end();
    }
    return text(text.substring(at));
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
