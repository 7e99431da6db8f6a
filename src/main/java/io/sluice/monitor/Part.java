package io.sluice.monitor;

import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part that this process depends on, and whether it is away: it cannot be reached, or does not
 * answer. Of the process, like {@link Alarm}: a call that fails because a part is away logs
 * nothing, since one line says it for all.
 */
public enum Part {
  LEDGER(Alarm.LEDGER_AWAY),
  STOCK(Alarm.STOCK_AWAY),
  LOG(Alarm.LOG_AWAY);

  /** How long a failure that a part explains is nothing to tell, as it may not be noticed yet. */
  static final Duration UNNOTICED = Duration.ofSeconds(5);

  /** How long after a part is back what has failed because of it may still fail. */
  static final Duration SETTLES = Duration.ofSeconds(10);

  private final Alarm alarm;
  private volatile boolean away;
  private volatile boolean wasAway;
  private volatile long backAtNanos;

  Part(Alarm alarm) {
    this.alarm = alarm;
  }

  /** A failure that means that this part could not be reached, or did not answer. */
  public interface Failure {
    Part part();
  }

  /** Its name in the metric and in log lines, e.g. {@code ledger}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The alarm that says what still works without it. */
  public Alarm alarm() {
    return alarm;
  }

  public boolean isAway() {
    return away;
  }

  /** Whether any part is away. */
  public static boolean isAnyAway() {
    return Stream.of(values()).anyMatch(Part::isAway);
  }

  /**
   * Notes whether it is away.
   *
   * @param nowNanos of the monotonic clock
   */
  public void note(boolean isAway, long nowNanos) {
    if (away && !isAway) {
      backAtNanos = nowNanos;
      wasAway = true;
    }
    away = isAway;
  }

  /**
   * Whether something fails because a part is away, so that there is nothing more to tell.
   *
   * @param sinceNanos since when it fails
   */
  public static boolean explains(Throwable cause, long sinceNanos, long nowNanos) {
    Part part = partOf(cause);
    return part != null && (nowNanos - sinceNanos < UNNOTICED.toNanos() || part.explains(nowNanos));
  }

  /** The same of something that does not go on to fail. */
  public static boolean explains(Throwable cause, long nowNanos) {
    Part part = partOf(cause);
    return part != null && part.explains(nowNanos);
  }

  private static @Nullable Part partOf(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof Failure failure) {
        return failure.part();
      }
    }
    return null;
  }

  private boolean explains(long nowNanos) {
    return away || (wasAway && nowNanos - backAtNanos < SETTLES.toNanos());
  }
}
