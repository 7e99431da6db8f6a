package io.sluice.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.sluice.monitor.Alarm;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.event.KeyValuePair;

/**
 * Leaves out lines of which there are too many: of the lines with one text, and of one exception if
 * they have one, {@link #LINES_MAX} are written in {@link #WINDOW}. The next one that is written
 * says in {@code leftOut} how many were not. Lines that must not be lost are always written:
 * alarms, and changes by operators.
 */
public final class RepeatLimit extends Filter<ILoggingEvent> {
  static final Duration WINDOW = Duration.ofSeconds(10);

  /** More than the partitions of a usual instance, each of which may have something to say. */
  static final int LINES_MAX = 50;

  static final int TEXTS_MAX = 1_000;
  static final String LEFT_OUT = "leftOut";

  /** Logs who has changed what on the management port; see logback.xml. */
  private static final String OPERATOR = "operator";

  /** Guarded by this; the text that was not seen for longest goes first. */
  private final Map<String, Seen> texts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > TEXTS_MAX;
        }
      };

  private static final class Seen {
    private long sinceMs;
    private int written;
    private long leftOut;
  }

  @Override
  public FilterReply decide(ILoggingEvent event) {
    if (isOfAnOperator(event) || Alarm.wordIn(event.getKeyValuePairs()) != null) {
      return FilterReply.NEUTRAL;
    }
    long leftOut = leftOut(kind(event), event.getTimeStamp());
    if (leftOut < 0) {
      return FilterReply.DENY;
    }
    if (leftOut > 0 && event instanceof LoggingEvent line) {
      line.addKeyValuePair(new KeyValuePair(LEFT_OUT, leftOut));
    }
    return FilterReply.NEUTRAL;
  }

  /** Whether it says what an operator has changed. */
  static boolean isOfAnOperator(ILoggingEvent event) {
    return event.getLoggerName().equals(OPERATOR);
  }

  /** Another exception under the same text is another line: a library has one text for all. */
  private static String kind(ILoggingEvent event) {
    IThrowableProxy thrown = event.getThrowableProxy();
    String text = event.getLoggerName() + ' ' + event.getMessage();
    return thrown == null ? text : text + ' ' + thrown.getClassName();
  }

  /** How many lines of this text were left out before this one; negative if this one is, too. */
  private synchronized long leftOut(String text, long nowMs) {
    Seen seen = texts.computeIfAbsent(text, first -> new Seen());
    // A clock that was set back begins a new window as well.
    if (nowMs - seen.sinceMs >= WINDOW.toMillis() || nowMs < seen.sinceMs) {
      seen.sinceMs = nowMs;
      seen.written = 0;
    }
    if (seen.written == LINES_MAX) {
      seen.leftOut++;
      return -1;
    }
    seen.written++;
    long before = seen.leftOut;
    seen.leftOut = 0;
    return before;
  }
}
