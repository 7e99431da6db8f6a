package io.sluice.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.alarm.Alarm;
import org.jspecify.annotations.Nullable;

/** Tells the lines that must not be lost from the others. */
final class LineKind {
  /** Logs who has changed what on the management port; see logback.xml. */
  private static final String OPERATOR = "operator";

  private LineKind() {}

  /** The word of the alarm that this is; null if it is none. */
  static @Nullable String alarm(ILoggingEvent event) {
    return Alarm.wordIn(event.getKeyValuePairs());
  }

  /** Whether it says what an operator has changed. */
  static boolean isOfAnOperator(ILoggingEvent event) {
    return event.getLoggerName().equals(OPERATOR);
  }
}
