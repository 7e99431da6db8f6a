package io.sluice.testkit.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Captures what a class logs until this is closed: one line per event, with level and key-values.
 */
public final class LogWatch extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger watched;
  private final @Nullable Level levelBefore;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private LogWatch(Logger watched) {
    this.watched = watched;
    this.levelBefore = watched.getLevel();
  }

  public static LogWatch of(Class<?> type) {
    return of(type.getName(), null);
  }

  /**
   * The same by the name of its logger.
   *
   * @param level from which on it logs; null leaves it as it is
   */
  public static LogWatch of(String name, @Nullable Level level) {
    LogWatch watch = new LogWatch((Logger) LoggerFactory.getLogger(name));
    if (level != null) {
      watch.watched.setLevel(level);
    }
    watch.start();
    watch.watched.addAppender(watch);
    return watch;
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** The lines that are alarms. */
  public List<String> alarms() {
    return lines.stream().filter(line -> line.startsWith("ERROR ALARM: ")).toList();
  }

  @Override
  protected void append(ILoggingEvent event) {
    String pairs =
        Objects.requireNonNullElse(
                event.getKeyValuePairs(), List.<org.slf4j.event.KeyValuePair>of())
            .stream()
            .map(pair -> " " + pair)
            .collect(Collectors.joining());
    lines.add(event.getLevel() + " " + event.getFormattedMessage() + pairs);
  }

  @Override
  public void close() {
    watched.detachAppender(this);
    watched.setLevel(levelBefore);
    stop();
  }
}
