package io.sluice.testkit.process;

import java.io.PrintStream;
import java.util.Locale;

/**
 * The output of the demo and the benchmarks: on a terminal one line is redrawn in place, elsewhere
 * every line is a plain one.
 */
public final class Screen {
  private static final int WIDTH_MAX = 110;

  private final PrintStream out;
  private final boolean terminal;
  private int drawn;

  Screen(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Standard output; it is a terminal where there is a console that is not a dumb one. */
  public static Screen ofStandardOutput() {
    boolean dumb = "dumb".equals(System.getenv("TERM"));
    return new Screen(System.out, System.console() != null && !dumb);
  }

  boolean isTerminal() {
    return terminal;
  }

  public synchronized void line(String text) {
    clear();
    out.println(text);
    out.flush();
  }

  public synchronized void line(String format, Object... details) {
    line(String.format(Locale.ROOT, format, details));
  }

  /** Replaces the line that was drawn last; does nothing where there is no terminal. */
  synchronized void redraw(String text) {
    if (!terminal) {
      return;
    }
    String cut = text.length() > WIDTH_MAX ? text.substring(0, WIDTH_MAX) : text;
    out.print("\r" + cut + " ".repeat(Math.max(0, drawn - cut.length())));
    out.flush();
    drawn = cut.length();
  }

  private void clear() {
    if (drawn > 0) {
      out.print("\r" + " ".repeat(drawn) + "\r");
      drawn = 0;
    }
  }
}
