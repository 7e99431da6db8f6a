package io.sluice.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The meters of this instance. No tag carries a SKU, a buyer or a token: their number is unbounded.
 */
public final class Meters {
  private final MeterRegistry registry;
  private final Map<String, Map<String, Counter>> requests = new ConcurrentHashMap<>();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Timer placing;

  /** Registers what is there from the start. */
  public Meters(MeterRegistry registry) {
    this.registry = registry;
    Gauge.builder("sluice_http_requests_in_flight", inFlight, AtomicInteger::get)
        .description("Requests under way, of all event loops")
        .register(registry);
    this.placing =
        Timer.builder("sluice_placing")
            .description("Time from a request for an order to its yes")
            .serviceLevelObjectives(
                Duration.ofMillis(5),
                Duration.ofMillis(10),
                Duration.ofMillis(25),
                Duration.ofMillis(50),
                Duration.ofMillis(100),
                Duration.ofMillis(250),
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2))
            .register(registry);
  }

  /** Where the meters are kept, for the binders of libraries. */
  public MeterRegistry registry() {
    return registry;
  }

  /**
   * Counts an answer: {@code sluice_http_requests_total}.
   *
   * @param call a call of the API
   * @param outcome ok, created, accepted or the last segment of a problem type
   */
  public void answered(String call, String outcome) {
    requests
        .computeIfAbsent(call, name -> new ConcurrentHashMap<>())
        .computeIfAbsent(outcome, name -> requestCounter(call, name))
        .increment();
  }

  private Counter requestCounter(String call, String outcome) {
    return Counter.builder("sluice_http_requests")
        .description("Answered requests by call and outcome")
        .tag("call", call)
        .tag("outcome", outcome)
        .register(registry);
  }

  /** Changes the number of requests under way: {@code sluice_http_requests_in_flight}. */
  public void inFlight(int change) {
    inFlight.addAndGet(change);
  }

  /** Records a yes to a buyer: {@code sluice_placing_seconds}. */
  public void placed(Duration took) {
    placing.record(took);
  }
}
