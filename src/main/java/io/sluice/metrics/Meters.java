package io.sluice.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.model.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The meters of this instance. No tag carries a SKU, a buyer or a token: their number is unbounded.
 */
public final class Meters {
  private static final Duration[] REDIS_CALL_BOUNDS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(20),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
  };

  private final MeterRegistry registry;
  private final Map<String, Answers> requests = new ConcurrentHashMap<>();
  private final List<IntSupplier> inFlight = new CopyOnWriteArrayList<>();
  private final Timer placing;

  /** Registers what is there from the start. */
  public Meters(MeterRegistry registry) {
    this.registry = registry;
    Gauge.builder("sluice_http_requests_in_flight", this, Meters::requestsInFlight)
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

  /** Counts the answers of one call: {@code sluice_http_requests_total}. */
  public final class Answers {
    private final String call;
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    private Answers(String call) {
      this.call = call;
    }

    /**
     * Counts one.
     *
     * @param outcome ok, created, accepted or the last segment of a problem type
     */
    public void count(String outcome) {
      Counter counter = counters.get(outcome);
      if (counter == null) {
        counter = counters.computeIfAbsent(outcome, name -> requestCounter(call, name));
      }
      counter.increment();
    }

    /** The name of the call. */
    public String call() {
      return call;
    }
  }

  /**
   * The answers of a call of the API; to be kept by who counts them often.
   *
   * @param call its name, one of a few
   */
  public Answers answers(String call) {
    return requests.computeIfAbsent(call, Answers::new);
  }

  private Counter requestCounter(String call, String outcome) {
    return Counter.builder("sluice_http_requests")
        .description("Answered requests by call and outcome")
        .tag("call", call)
        .tag("outcome", outcome)
        .register(registry);
  }

  /**
   * A part of the requests under way, {@code sluice_http_requests_in_flight}: each event loop
   * counts its own, since one counter for all would be fought over with each request.
   */
  public void inFlight(IntSupplier ofOneLoop) {
    inFlight.add(ofOneLoop);
  }

  private double requestsInFlight() {
    return inFlight.stream().mapToInt(IntSupplier::getAsInt).sum();
  }

  /** Records a yes to a buyer: {@code sluice_placing_seconds}. */
  public void placed(Duration took) {
    placing.record(took);
  }

  /** How long calls of a Lua script take, failed ones included; seconds. */
  public Timer redisCall(String script) {
    return Timer.builder("sluice_redis_call_seconds")
        .tag("script", script)
        .serviceLevelObjectives(REDIS_CALL_BOUNDS)
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

  /** Requests for one bucket that went to Redis together. */
  public DistributionSummary grantBatchSize() {
    return DistributionSummary.builder("sluice_grant_batch_size").register(registry);
  }

  /** How long calls waited for a connection of this pool of the ledger. */
  public Timer connectionWait(String pool) {
    return Timer.builder("sluice_ledger_connection_wait").tag("pool", pool).register(registry);
  }

  /** From handing a record of grants to the log until its ack or failure. */
  public Timer logAppend() {
    return Timer.builder("sluice_log_append").register(registry);
  }

  /** A transaction of the ledger that met another's locks and is run again. */
  public void ledgerRetried() {
    registry.counter("sluice_ledger_retries").increment();
  }

  /**
   * An order that was not paid in time is ended in the ledger, so many milliseconds after it was
   * due; its units are in Redis a moment later.
   */
  public void timedOut(long lagMs) {
    Timer.builder("sluice_timeout_lag")
        .register(registry)
        .record(Duration.ofMillis(Math.max(0, lagMs)));
  }

  /** Grants of an older epoch that were not booked. */
  public void staleGrantsDropped(int grants) {
    registry.counter("sluice_ledger_stale_grants").increment(grants);
  }

  /** Commands that their own data made impossible to apply. */
  public void deadLettered(int commands) {
    registry.counter("sluice_ledger_dead_commands").increment(commands);
  }

  /** Buckets at which the gate had no room for a grant; in a sound system there are none. */
  public void gateFoundFull(int buckets) {
    registry.counter("sluice_ledger_gate_full").increment(buckets);
  }

  /** SKUs that were frozen since something that cannot happen was seen. */
  public void skuFrozen() {
    registry.counter("sluice_ledger_skus_frozen").increment();
  }

  /** Appends to the order log that were not acknowledged: each may have happened or not. */
  public Counter logAppendsFailed() {
    return Counter.builder("sluice_log_appends_failed").register(registry);
  }

  /** Records that are handed to the order log and neither acknowledged nor given up. */
  public void logInFlight(IntSupplier records) {
    Gauge.builder("sluice_log_in_flight", records, IntSupplier::getAsInt)
        .strongReference(true)
        .register(registry);
  }

  /** Polls of the order log that failed; the next one follows after a pause. */
  public Counter logPollsFailed() {
    return Counter.builder("sluice_log_polls_failed").register(registry);
  }

  /** How many milliseconds this part's clock is ahead of the ledger's; negative where behind. */
  public void clockSkew(String part, LongSupplier ms) {
    Gauge.builder("sluice_clock_skew_seconds", () -> ms.getAsLong() / 1_000.0)
        .description("How far a clock is ahead of the ledger's")
        .tag("part", part)
        .strongReference(true)
        .register(registry);
  }

  /** Buckets in which Redis and the ledger differed, and that are rebuilt for it. */
  public void corrected() {
    registry.counter("sluice_ledger_corrections").increment();
  }

  /** Orders that were booked in the ledger past the order log, those known before included. */
  public Counter directBookings() {
    return Counter.builder("sluice_direct_bookings").register(registry);
  }

  /** Orders for which the budget of direct bookings had no place. */
  public Counter directBookingsRefused() {
    return Counter.builder("sluice_direct_bookings_refused").register(registry);
  }

  /** Counts a time in which payments could not be taken: {@code sluice_payments_interrupted}. */
  public void paymentsInterrupted() {
    Counter.builder("sluice_payments_interrupted")
        .description("Outages, per partition, after which orders may be paid for longer")
        .register(registry)
        .increment();
  }

  /** Partitions of the order log that take no records now: {@code sluice_log_partitions_out}. */
  public void logPartitionsOut(IntSupplier count) {
    Gauge.builder("sluice_log_partitions_out", count, IntSupplier::getAsInt)
        .description("Partitions of the order log that take no records now")
        .strongReference(true)
        .register(registry);
  }

  /** Orders in the log that are not booked, of all instances: an estimate. */
  public void logBacklog(LongSupplier orders) {
    Gauge.builder("sluice_log_backlog_orders", orders, LongSupplier::getAsLong)
        .strongReference(true)
        .register(registry);
  }
}
