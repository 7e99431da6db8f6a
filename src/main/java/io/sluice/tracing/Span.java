package io.sluice.tracing;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A step that has ended.
 *
 * @param parentSpanId of the same trace; null for the first span of a trace
 * @param name from a small fixed set
 * @param startNanos on the clock of {@link System#nanoTime}
 * @param attributes texts, whole numbers and truth values
 * @param links spans of other traces
 * @param error why it failed; null if it did not
 */
public record Span(
    TraceContext context,
    @Nullable String parentSpanId,
    String name,
    Kind kind,
    long startNanos,
    long endNanos,
    Map<String, Object> attributes,
    List<TraceContext> links,
    @Nullable String error) {

  /** Those kinds of OpenTelemetry that there are here. */
  public enum Kind {
    INTERNAL,
    SERVER,
    CLIENT,
    PRODUCER
  }

  /** The names of the attributes of spans. */
  public static final class Attributes {
    public static final String ORDER_TOKEN = "sluice.order_token";
    public static final String PARTITION = "sluice.partition";
    public static final String BUCKET = "sluice.bucket";
    public static final String BATCH_SIZE = "sluice.batch_size";
    public static final String LINKS_LEFT_OUT = "sluice.links_left_out";
    public static final String CALL = "sluice.call";
    public static final String ERROR_TYPE = "error.type";
    public static final String STATUS = "http.response.status_code";
    public static final String METHOD = "http.request.method";

    private Attributes() {}

    /** The place of what is done in a partition. */
    public static Map<String, Object> ofPartition(int partition) {
      return Map.of(PARTITION, (long) partition);
    }
  }
}
