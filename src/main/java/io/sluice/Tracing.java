package io.sluice;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.async.TimeLimit;
import io.sluice.config.Config;
import io.sluice.config.value.Cidr;
import io.sluice.metrics.TraceMeters;
import io.sluice.tracing.Traces;
import io.sluice.tracing.otlp.OtlpTraces;
import io.sluice.web.RequestTraces;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The traces of an instance: opened before everything else, and closed after it. */
final class Tracing {
  /** How long a shutdown waits until the last spans are sent. */
  static final Duration CLOSE_MAX = Duration.ofSeconds(1);

  private final Config config;
  private final @Nullable OtlpTraces sent;

  private Tracing(Config config, @Nullable OtlpTraces sent) {
    this.config = config;
    this.sent = sent;
  }

  /** Waits for nothing, and connects to nothing if traces are off. */
  static Tracing open(Config config, MeterRegistry registry) {
    TraceMeters counts = new TraceMeters(registry);
    return new Tracing(
        config,
        config.tracing().isOn()
            ? OtlpTraces.open(
                config.tracing(),
                UUID.randomUUID().toString(),
                counts,
                InstantSource.system(),
                System::nanoTime)
            : null);
  }

  Traces traces() {
    return sent == null ? Traces.OFF : sent;
  }

  /** Those of the requests of buyers; the proxies in front of them may ask for more. */
  RequestTraces ofRequests() {
    return new RequestTraces(
        traces(), address -> Cidr.anyContains(config.auth().trustedProxies(), address));
  }

  Future<Void> close() {
    return sent == null
        ? Future.succeededFuture()
        : TimeLimit.of(CLOSE_MAX.toMillis(), sent.close());
  }
}
