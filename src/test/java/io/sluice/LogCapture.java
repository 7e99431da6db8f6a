package io.sluice;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What one logger is told while this is open. */
public final class LogCapture implements AutoCloseable {
  private final Logger logger;
  private final Level levelBefore;
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  public LogCapture(Class<?> of) {
    this(of.getName(), null);
  }

  /**
   * The same by its name.
   *
   * @param level from which on it is told; null leaves it as it is
   */
  public LogCapture(String name, Level level) {
    logger = (Logger) LoggerFactory.getLogger(name);
    levelBefore = logger.getLevel();
    if (level != null) {
      logger.setLevel(level);
    }
    appender.start();
    logger.addAppender(appender);
  }

  /** Level, message and key-values of each event. */
  public List<String> lines() {
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
    logger.setLevel(levelBefore);
  }
}
