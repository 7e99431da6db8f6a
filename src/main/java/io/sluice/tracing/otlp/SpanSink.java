package io.sluice.tracing.otlp;

import io.sluice.tracing.Span;
import java.util.List;

/** Where spans are sent; blocks, and is used by one thread. */
interface SpanSink {
  /** Sends some spans; false if the collector has not taken them. */
  boolean send(List<Span> spans);

  /** Gives its connections up. */
  void close();
}
