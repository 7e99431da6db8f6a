package io.sluice.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import java.util.Iterator;
import org.slf4j.LoggerFactory;

/** Chooses how log lines are written. */
public final class LogOutput {
  private LogOutput() {}

  /** From now on, lines go to standard output and to files as JSON. */
  public static void json() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      json(context);
    }
  }

  static void json(LoggerContext context) {
    for (Logger logger : context.getLoggerList()) {
      Iterator<Appender<ILoggingEvent>> appenders = logger.iteratorForAppenders();
      while (appenders.hasNext()) {
        if (appenders.next() instanceof OutputStreamAppender<ILoggingEvent> stream) {
          JsonLines lines = new JsonLines();
          lines.setContext(context);
          lines.start();
          stream.setEncoder(lines);
        }
      }
    }
  }
}
