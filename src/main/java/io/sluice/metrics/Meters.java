package io.sluice.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.model.Refusal;

/**
 * The meters of this instance. No tag carries a SKU, a buyer or a token: their number is unbounded.
 */
public final class Meters {
  private final MeterRegistry registry;

  public Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Where the meters are kept, for the binders of libraries. */
  public MeterRegistry registry() {
    return registry;
  }

  /** How long calls of a Lua script take, failed ones included; seconds. */
  public Timer redisCall(String script) {
    return Timer.builder("sluice_redis_call_seconds")
        .tag("script", script)
        .publishPercentileHistogram()
        .register(registry);
  }

  /** Calls to Redis whose outcome could not be learnt. */
  public void redisCallFailed() {
    registry.counter("sluice_redis_calls_failed").increment();
  }

  /** Held connections to Redis that were lost or given up. */
  public void redisConnectionLost() {
    registry.counter("sluice_redis_connections_lost").increment();
  }

  /** Grants that were new, and that the log was asked to keep. */
  public Counter grants() {
    return Counter.builder("sluice_grants").register(registry);
  }

  /** Requests for an order that were answered with this refusal. */
  public Counter refusals(Refusal refusal) {
    return Counter.builder("sluice_refusals").tag("refusal", refusal.problem()).register(registry);
  }

  /** Requests that shared one EVALSHA. */
  public DistributionSummary grantBatchSize() {
    return DistributionSummary.builder("sluice_grant_batch_size").register(registry);
  }

  /** From handing a record of grants to the log until its ack or failure. */
  public Timer logAppend() {
    return Timer.builder("sluice_log_append").register(registry);
  }
}
