package io.sluice.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import io.sluice.monitor.Alarm;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * Writes each event as one JSON object on a line of its own:
 *
 * <pre>
 * {"at":"...","level":"WARN","event":"bucket-cannot-be-loaded","text":"...","logger":"...","thread":"...",
 * "trace_id":"...","span_id":"...","data":{"bucket":"7:0"},"exception":"...","stack":"..."}</pre>
 *
 * <p>{@code event} is made of the fixed text, so it is as stable as that; that of an alarm is its
 * word. The ids of a trace have the names that OpenTelemetry gives them. Lines of libraries have
 * the event {@code library}. As in logback.xml the password of a URI is cut out, also of lines that
 * libraries write.
 */
public final class JsonLines extends EncoderBase<ILoggingEvent> {
  private static final int EVENT_MAX = 60;
  private static final String OURS = "io.sluice.";

  private static final Set<String> TRACE_IDS = Set.of("trace_id", "span_id");

  private static final DateTimeFormatter AT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final Pattern PASSWORD = Pattern.compile("(://[^\\s:/@]*:)[^\\s\"]*@");
  private static final Pattern LINE_END = Pattern.compile("[\r\n]+\\s*");
  private static final Pattern NO_WORD = Pattern.compile("[^a-z0-9]+");

  /** From now on, lines go to standard output and to files as JSON. */
  public static void useForAll() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      useForAll(context);
    }
  }

  static void useForAll(LoggerContext context) {
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

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String text = String.valueOf(event.getFormattedMessage());
    JsonObject line =
        new JsonObject()
            .put("at", AT.format(Instant.ofEpochMilli(event.getTimeStamp())))
            .put("level", event.getLevel().toString())
            .put("event", name(event))
            .put("text", masked(text))
            .put("logger", event.getLoggerName())
            .put("thread", event.getThreadName());
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    if (pairs != null) {
      ids(pairs).forEach(id -> line.put(id.key, String.valueOf(id.value)));
      JsonObject data = data(pairs);
      if (!data.isEmpty()) {
        line.put("data", data);
      }
    }
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) {
      line.put("exception", thrown.getClassName());
      line.put(
          "stack",
          masked(LINE_END.matcher(ThrowableProxyUtil.asString(thrown).strip()).replaceAll(" | ")));
    }
    return (line.encode() + "\n").getBytes(UTF_8);
  }

  /** The name of the event that this is one of. */
  private static String name(ILoggingEvent event) {
    String alarm = Alarm.wordIn(event.getKeyValuePairs());
    if (alarm != null) {
      return "alarm-" + alarm;
    }
    if (event.getMarkerList() != null && !event.getMarkerList().isEmpty()) {
      return event.getMarkerList().get(0).getName();
    }
    // Not the formatted text, whose arguments differ from line to line.
    String fixed = masked(String.valueOf(event.getMessage()));
    if (RepeatLimit.isOfAnOperator(event)) {
      return "operator-" + word(fixed);
    }
    return event.getLoggerName().startsWith(OURS) ? word(fixed) : "library";
  }

  /** The first words of a text, in small letters, with hyphens. */
  private static String word(String text) {
    String words = NO_WORD.matcher(text.toLowerCase(Locale.ROOT)).replaceAll("-");
    String trimmed = words.startsWith("-") ? words.substring(1) : words;
    if (trimmed.length() > EVENT_MAX) {
      int end = trimmed.lastIndexOf('-', EVENT_MAX);
      trimmed = trimmed.substring(0, end > 0 ? end : EVENT_MAX);
    }
    return trimmed.endsWith("-") ? trimmed.substring(0, trimmed.length() - 1) : trimmed;
  }

  /** Those of a trace, which are found under the same names whatever the line is about. */
  private static List<KeyValuePair> ids(List<KeyValuePair> pairs) {
    return pairs.stream().filter(pair -> TRACE_IDS.contains(pair.key)).toList();
  }

  private static JsonObject data(List<KeyValuePair> pairs) {
    JsonObject data = new JsonObject();
    for (KeyValuePair pair : pairs) {
      if (TRACE_IDS.contains(pair.key)) {
        continue;
      }
      Object value = pair.value;
      boolean plain = value instanceof Integer || value instanceof Long || value instanceof Boolean;
      data.put(pair.key, value == null || plain ? value : masked(String.valueOf(value)));
    }
    return data;
  }

  private static String masked(String text) {
    return PASSWORD.matcher(text).replaceAll("$1***@");
  }
}
