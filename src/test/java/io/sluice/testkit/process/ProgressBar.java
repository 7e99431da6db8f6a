package io.sluice.testkit.process;

import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Shows the progress of some work until it is closed: a bar that is redrawn on a terminal,
 * otherwise a line for every fifth of the work.
 */
public final class ProgressBar implements AutoCloseable {
  private static final int CELLS = 24;
  private static final int REDRAW_MS = 150;
  private static final int PLAIN_STEPS = 5;

  private final Screen screen;
  private final String label;
  private final long total;
  private final LongSupplier done;
  private final Supplier<String> note;
  private final ScheduledExecutorService redraws;
  private long stepShown;

  private ProgressBar(
      Screen screen, String label, long total, LongSupplier done, Supplier<String> note) {
    this.screen = screen;
    this.label = label;
    this.total = Math.max(1, total);
    this.done = done;
    this.note = note;
    this.redraws =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "progress");
              thread.setDaemon(true);
              return thread;
            });
  }

  public static ProgressBar show(
      Screen screen, String label, long total, LongSupplier done, Supplier<String> note) {
    var bar = new ProgressBar(screen, label, total, done, note);
    bar.redraws.scheduleWithFixedDelay(bar::draw, 0, REDRAW_MS, TimeUnit.MILLISECONDS);
    return bar;
  }

  /** Leaves the last state on the screen. */
  @Override
  public void close() {
    redraws.shutdownNow();
    screen.line(text());
  }

  private void draw() {
    if (screen.isTerminal()) {
      screen.redraw(text());
      return;
    }
    long step = done() * PLAIN_STEPS / total;
    if (step > stepShown && step < PLAIN_STEPS) {
      stepShown = step;
      screen.line(text());
    }
  }

  private String text() {
    int full = (int) (done() * CELLS / total);
    String bar = "#".repeat(full) + ".".repeat(CELLS - full);
    return String.format(
        Locale.ROOT, "  %-10s [%s] %3d %%  %s", label, bar, done() * 100 / total, note.get());
  }

  private long done() {
    return Math.max(0, Math.min(total, done.getAsLong()));
  }
}
