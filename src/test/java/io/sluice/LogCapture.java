package io.sluice;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Captures what one logger logs while this is open. */
final class LogCapture implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  LogCapture(Class<?> of) {
    logger = (Logger) LoggerFactory.getLogger(of);
    appender.start();
    logger.addAppender(appender);
  }

  /** One line for each event: level, message and key-values. */
  List<String> lines() {
    return List.copyOf(appender.list).stream()
        .map(
            event ->
                "%s %s %s"
                    .formatted(
                        event.getLevel(), event.getFormattedMessage(), event.getKeyValuePairs()))
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
  }
}
