package io.sluice.tracing;

import io.sluice.model.OrderToken;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which orders of one owner are traced: those that the token chooses, and those whose trace a
 * caller asked for, as their records in the order log say. The latter are known for as long as this
 * owner lives, and not more than {@link #ASKED_MAX}. Used by one event loop.
 */
public final class TracedOrders {
  static final int ASKED_MAX = 10_000;

  private final Traces traces;
  private final Map<String, Boolean> asked =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > ASKED_MAX;
        }
      };

  public TracedOrders(Traces traces) {
    this.traces = traces;
  }

  public Traces traces() {
    return traces;
  }

  /** The first span of this order's trace; null if it is not traced. */
  public @Nullable TraceContext of(String orderToken) {
    return traces.samples(orderToken) || (!asked.isEmpty() && asked.containsKey(orderToken))
        ? TraceContext.ofOrder(orderToken)
        : null;
  }

  /**
   * The span that a grant comes from; null if it is not traced.
   *
   * @param trace of its record in the order log
   */
  public @Nullable TraceContext of(OrderToken token, @Nullable String trace) {
    TraceContext from = traces.isOn() ? TraceContext.sampled(trace) : null;
    if (from == null) {
      return of(token.value());
    }
    if (!traces.samples(token.value())) {
      asked.put(token.value(), true);
    }
    return from;
  }
}
