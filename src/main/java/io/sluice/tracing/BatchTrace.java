package io.sluice.tracing;

import io.sluice.tracing.Span.Attributes;
import io.sluice.tracing.Span.Kind;
import io.vertx.core.AsyncResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A step of several orders at once. If at least one of them is traced, the batch is a span of its
 * own, the only one of its trace, with links to the spans of its orders. Each of these has a span
 * in its own trace, with a link to the batch.
 */
public final class BatchTrace {
  /** More links than this are left out of the span of the batch. */
  static final int LINKS_MAX = 128;

  private static final BatchTrace OFF = new BatchTrace(Traces.OFF, BatchStep.APPLY, 0);

  /** A step of one order: its span, and the one above it. */
  private record Part(TraceContext context, TraceContext parent, String orderToken) {}

  private final Traces traces;
  private final BatchStep step;
  private final long startNanos;
  private final List<Part> parts = new ArrayList<>();

  private BatchTrace(Traces traces, BatchStep step, long startNanos) {
    this.traces = traces;
    this.step = step;
    this.startNanos = startNanos;
  }

  /** Begins a step; allocates nothing if traces are off. */
  public static BatchTrace begin(Traces traces, BatchStep step, long startNanos) {
    return traces.isOn() ? new BatchTrace(traces, step, startNanos) : OFF;
  }

  /**
   * Adds an order, and returns its span, for the code that goes on with it; null if the order is
   * not traced.
   *
   * @param parent the span above; null if the order is not traced
   */
  public @Nullable TraceContext add(@Nullable TraceContext parent, String orderToken) {
    if (parent == null || !traces.isOn()) {
      return null;
    }
    Part part = new Part(parent.child(), parent, orderToken);
    parts.add(part);
    return part.context();
  }

  /** Why work failed, as {@link #end} takes it; null if it did not. */
  public static @Nullable String errorOf(AsyncResult<?> done) {
    return done.failed() ? done.cause().toString() : null;
  }

  /**
   * Ends the step and records its spans. If no order is traced, it is recorded if it failed, and
   * not too many have.
   *
   * @param size of the batch, orders included that are not traced
   * @param some the first orders of the batch, whose own failures are linked if they are recorded
   * @param place where it took place, e.g. a bucket
   * @param error why it failed; null if it did not
   */
  public void end(
      long endNanos,
      int size,
      List<String> some,
      Map<String, Object> place,
      @Nullable String error) {
    if (!parts.isEmpty()) {
      record(endNanos, size, place, error);
    } else if (error != null && traces.takesFailure(false)) {
      List<TraceContext> links = some.stream().limit(LINKS_MAX).map(TraceContext::ofOrder).toList();
      record(TraceContext.fresh(), endNanos, size, 0, place, links, error);
    }
  }

  /** Ends a step that was refused: a normal state, which only spans of traced orders show. */
  public void endRefused(long endNanos, int size, Map<String, Object> place, String why) {
    if (!parts.isEmpty()) {
      record(endNanos, size, place, why);
    }
  }

  /** Records the spans of the orders, and that of the batch. */
  private void record(long endNanos, int size, Map<String, Object> place, @Nullable String error) {
    TraceContext batch = TraceContext.fresh();
    List<TraceContext> links = new ArrayList<>();
    for (Part part : parts) {
      if (links.size() < LINKS_MAX) {
        links.add(part.context());
      }
      traces.record(
          new Span(
              part.context(),
              part.parent().spanId(),
              step.spanName,
              step.kind,
              startNanos,
              endNanos,
              Map.of(Attributes.ORDER_TOKEN, part.orderToken()),
              List.of(batch),
              error));
    }
    record(batch, endNanos, size, parts.size() - links.size(), place, links, error);
  }

  /** Records the span of the batch. */
  private void record(
      TraceContext batch,
      long endNanos,
      int size,
      long linksLeftOut,
      Map<String, Object> place,
      List<TraceContext> links,
      @Nullable String error) {
    Map<String, Object> attributes = new HashMap<>(place);
    attributes.put(Attributes.BATCH_SIZE, (long) size);
    if (linksLeftOut > 0) {
      attributes.put(Attributes.LINKS_LEFT_OUT, linksLeftOut);
    }
    traces.record(
        new Span(
            batch,
            null,
            step.batchName(),
            step.kind,
            startNanos,
            endNanos,
            attributes,
            links,
            error));
  }

  /** The steps of an order that are done for several orders at once. */
  public enum BatchStep {
    RESERVE("redis reserve", Kind.CLIENT),
    APPEND("order log append", Kind.PRODUCER),
    BOOK_PAST_LOG("ledger book directly", Kind.CLIENT),
    APPLY("ledger apply", Kind.CLIENT),
    PUBLISH("event publish", Kind.PRODUCER),
    RELEASE("redis release", Kind.CLIENT);

    /** The name of its span in the trace of an order. */
    private final String spanName;

    private final Kind kind;

    BatchStep(String spanName, Kind kind) {
      this.spanName = spanName;
      this.kind = kind;
    }

    /** The name of the span of the batch. */
    public String batchName() {
      return spanName + " batch";
    }
  }
}
