package io.sluice.metrics;

import static io.sluice.metrics.ProcessMeters.gauge;
import static io.sluice.metrics.ProcessMeters.timer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.metrics.ProcessMeters.Bounds;
import io.sluice.metrics.ProcessMeters.Rare;
import io.sluice.model.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** The meters of this instance. No tag has a SKU, a buyer or a token: their number is unbounded. */
public final class Meters {
  private static final Duration[] PLACING_BOUNDS =
      Bounds.ms(5, 10, 25, 50, 100, 250, 500, 1_000, 2_000);
  private static final Duration[] REDIS_CALL_BOUNDS = Bounds.ms(1, 2, 5, 20, 100, 500);

  private final MeterRegistry registry;
  private final Map<String, Answers> requests = new ConcurrentHashMap<>();
  private final List<IntSupplier> inFlight = new CopyOnWriteArrayList<>();
  private final Timer placing;
  private final Timer timeouts;
  private final BookingMeters booking;
  private final OutboxMeters outbox;
  private final ConnectionMeters connections;

  /** Registers the meters that exist from the start. */
  public Meters(MeterRegistry registry) {
    this.registry = registry;
    Gauge.builder("sluice_http_requests_in_flight", this, Meters::requestsInFlight)
        .register(registry);
    this.placing =
        Timer.builder("sluice_placing").serviceLevelObjectives(PLACING_BOUNDS).register(registry);
    this.timeouts = timer(registry, "sluice_timeout_lag", Bounds.OF_TIMEOUTS);
    this.booking = new BookingMeters(registry);
    this.outbox = new OutboxMeters(registry, System::nanoTime);
    this.connections = new ConnectionMeters(registry);
    ProcessMeters.alarms(registry);
    ProcessMeters.zeros(registry);
    List.of("sent", "dropped", "failed").forEach(this::traceSpans);
  }

  public void count(Rare what) {
    count(what, 1);
  }

  public void count(Rare what, int times) {
    registry.counter(what.meter).increment(times);
  }

  /** The registry, for the binders of libraries. */
  public MeterRegistry registry() {
    return registry;
  }

  /** Those of the transactions that book. */
  public BookingMeters booking() {
    return booking;
  }

  /** Those of the outbox. */
  public OutboxMeters outbox() {
    return outbox;
  }

  /** Those of connections, and of TLS on them. */
  public ConnectionMeters connections() {
    return connections;
  }

  /** Counts the answers to one call: {@code sluice_http_requests_total}. */
  public final class Answers {
    private final String call;
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    private Answers(String call) {
      this.call = call;
    }

    /**
     * @param outcome ok, created, accepted or the last segment of a problem type
     */
    public void count(String outcome) {
      Counter counter = counters.get(outcome);
      if (counter == null) {
        counter =
            counters.computeIfAbsent(
                outcome,
                name -> registry.counter("sluice_http_requests", "call", call, "outcome", name));
      }
      counter.increment();
    }

    public String call() {
      return call;
    }
  }

  /**
   * The answers to a call of the API; frequent callers should keep the object.
   *
   * @param call its name, from a small fixed set
   */
  public Answers answers(String call) {
    return requests.computeIfAbsent(call, Answers::new);
  }

  /**
   * Adds the requests in flight of one event loop to {@code sluice_http_requests_in_flight}. Each
   * loop has its own counter, to avoid contention on one with each request.
   */
  public void inFlight(IntSupplier ofOneLoop) {
    inFlight.add(ofOneLoop);
  }

  private double requestsInFlight() {
    return inFlight.stream().mapToInt(IntSupplier::getAsInt).sum();
  }

  /** A request was answered with an order after this time. */
  public void placed(Duration took) {
    placing.record(took);
  }

  /** The duration of calls of a Lua script, failed ones included; seconds. */
  public Timer redisCall(String script) {
    return timer(registry, "sluice_redis_call_seconds", REDIS_CALL_BOUNDS, "script", script);
  }

  /** New grants, for which a log record is due. */
  public Counter grants() {
    return registry.counter("sluice_grants");
  }

  /** Requests for an order that were answered with this refusal. */
  public Counter refusals(Refusal refusal) {
    return registry.counter("sluice_refusals", "refusal", refusal.problem());
  }

  /** Calls over this limit, answered 429: {@code sluice_admission_refused}. */
  public Counter admissionRefused(String limit) {
    return registry.counter("sluice_admission_refused", "limit", limit);
  }

  /** Buyers who are banned, or were lately: {@code sluice_admission_banned}. */
  public void bannedBuyers(IntSupplier count) {
    gauge(registry, "sluice_admission_banned", count::getAsInt);
  }

  /** Requests for one bucket that were sent to Redis together. */
  public DistributionSummary grantBatchSize() {
    return DistributionSummary.builder("sluice_grant_batch_size").register(registry);
  }

  /** Leases under which an event loop may refuse without Redis. */
  public Counter leases() {
    return registry.counter("sluice_leases");
  }

  /** Requests that were refused as sold out under a lease. */
  public Counter leaseRefusals() {
    return registry.counter("sluice_lease_refusals");
  }

  /** Requests that were refused because enough were asking for the last units. */
  public Counter lastRefusals() {
    return registry.counter("sluice_last_refusals");
  }

  /** How long calls waited for a connection from this pool of the ledger. */
  public Timer connectionWait(String pool) {
    return Timer.builder("sluice_ledger_connection_wait").tag("pool", pool).register(registry);
  }

  /** The time from handing a record of grants to the log until its ack or failure. */
  public Timer logAppend() {
    return timer(registry, "sluice_log_append", Bounds.OF_APPENDS);
  }

  /** An unpaid order was ended in the ledger, this many milliseconds after it was due. */
  public void timedOut(long lagMs) {
    timeouts.record(Duration.ofMillis(Math.max(0, lagMs)));
  }

  /** Appends to the order log without an ack; each may have happened or not. */
  public Counter logAppendsFailed() {
    return registry.counter("sluice_log_appends_failed");
  }

  /** Records handed to the order log that are neither acknowledged nor failed. */
  public void logInFlight(IntSupplier records) {
    gauge(registry, "sluice_log_in_flight", records::getAsInt);
  }

  /** Failed polls of the order log; each is retried after a pause. */
  public Counter logPollsFailed() {
    return registry.counter("sluice_log_polls_failed");
  }

  /** An event on the events topic that is not of this ledger's instances. */
  public void eventIgnored(String reason) {
    registry.counter("sluice_events_ignored", "reason", reason).increment();
  }

  /**
   * Orders that were booked in the ledger past the order log, including those that were in it
   * before.
   */
  public Counter directBookings() {
    return registry.counter("sluice_direct_bookings");
  }

  /** Orders for which the budget of bookings past the log was exhausted. */
  public Counter directBookingsRefused() {
    return registry.counter("sluice_direct_bookings_refused");
  }

  /** Partitions of the order log that take no records now: {@code sluice_log_partitions_out}. */
  public void logPartitionsOut(IntSupplier count) {
    gauge(registry, "sluice_log_partitions_out", count::getAsInt);
  }

  /** An estimate of the orders in the log that are not booked, of all instances. */
  public void logBacklog(LongSupplier orders) {
    gauge(registry, "sluice_log_backlog_orders", orders::getAsLong);
  }

  /** A request to a target of events, and whether it was accepted. */
  public void webhookAttempt(boolean accepted) {
    webhookAttempts(accepted).increment();
  }

  private Counter webhookAttempts(boolean accepted) {
    return registry.counter(
        "sluice_webhook_attempts", "outcome", accepted ? "accepted" : "refused");
  }

  /**
   * The events that targets have not accepted, of those that this instance sends to.
   *
   * @param oldestMs the age of the oldest that is still to be sent
   */
  public void webhooks(LongSupplier waiting, LongSupplier failed, LongSupplier oldestMs) {
    List.of(true, false).forEach(this::webhookAttempts);
    gauge(registry, "sluice_webhook_waiting", waiting::getAsLong);
    gauge(registry, "sluice_webhook_failed", failed::getAsLong);
    gauge(registry, "sluice_webhook_oldest_seconds", () -> oldestMs.getAsLong() / 1_000.0);
  }

  /** Those who watch the live page of this instance now: {@code sluice_page_viewers}. */
  public void pageViewers(IntSupplier count) {
    gauge(registry, "sluice_page_viewers", count::getAsInt);
  }

  /**
   * The ends and the archives of sales.
   *
   * @param unfinished how many of them are not done
   * @param standsS how long one makes no progress, the longest; seconds
   */
  public void saleEnds(IntSupplier unfinished, LongSupplier standsS) {
    gauge(registry, "sluice_sales_ending", unfinished::getAsInt);
    gauge(registry, "sluice_sale_end_stands_seconds", standsS::getAsLong);
  }

  /**
   * Spans of traces.
   *
   * @param outcome sent: the collector has taken them; dropped: there was no room in the queue;
   *     failed: the collector has not taken them, or not in time
   */
  public Counter traceSpans(String outcome) {
    return registry.counter("sluice_trace_spans", "outcome", outcome);
  }

  /** The meters of the transactions that book. */
  public static final class BookingMeters {
    private final MeterRegistry registry;
    private final Timer transactions;
    private final DistributionSummary batchSize;
    private final Counter booked;
    private final Counter duplicates;
    private final Timer lag;
    private final Counter rebuilds;
    private final Counter moves;
    private final Counter movedUnits;

    BookingMeters(MeterRegistry registry) {
      this.registry = registry;
      this.transactions = timer(registry, "sluice_booking", Bounds.ms(10, 50, 200, 1_000, 5_000));
      this.batchSize = DistributionSummary.builder("sluice_booking_batch_size").register(registry);
      this.booked = registry.counter("sluice_booked_orders");
      this.duplicates = registry.counter("sluice_booked_duplicates");
      this.lag = timer(registry, "sluice_booked_lag", Bounds.ms(100, 500, 1_000, 5_000, 30_000));
      this.rebuilds = registry.counter("sluice_rebuilds");
      this.moves = registry.counter("sluice_moves");
      this.movedUnits = registry.counter("sluice_moved_units");
    }

    /** Begins the time of a transaction. */
    public Timer.Sample begin() {
      return Timer.start(registry);
    }

    /** The transaction is committed. */
    public void applied(Timer.Sample begun, int commands) {
      begun.stop(transactions);
      batchSize.record(commands);
    }

    /**
     * What it wrote.
     *
     * @param orders that are new
     * @param repeated grants that had an order before
     * @param lagMs how long before that the oldest of the orders was granted
     */
    public void booked(int orders, int repeated, long lagMs) {
      booked.increment(orders);
      duplicates.increment(repeated);
      if (orders > 0) {
        lag.record(Math.max(0, lagMs), TimeUnit.MILLISECONDS);
      }
    }

    /**
     * Commands that cannot be applied because of their data.
     *
     * @param cause from a small fixed set
     */
    public void deadLettered(String cause, int commands) {
      registry.counter("sluice_ledger_dead_commands", "cause", cause).increment(commands);
    }

    /** The epoch of a bucket was raised, with which each rebuild begins. */
    public void rebuildBegun() {
      rebuilds.increment();
    }

    /** Units have gone from a bucket to others. */
    public void moved(long units) {
      moves.increment();
      movedUnits.increment(units);
    }
  }

  /** The meters of connections, and of TLS on them. */
  public static final class ConnectionMeters {
    private final MeterRegistry registry;

    ConnectionMeters(MeterRegistry registry) {
      this.registry = registry;
      List.of("ok", "late", "failed").forEach(this::handshakes);
    }

    /**
     * TLS handshakes.
     *
     * @param outcome ok; late: it did not end in time; failed: or its caller went away
     */
    public Counter handshakes(String outcome) {
      return registry.counter("sluice_tls_handshakes", "outcome", outcome);
    }

    /** The open connections and long polls of the public port. */
    public void open(IntSupplier open, IntSupplier longPolls) {
      gauge(registry, "sluice_http_connections", open::getAsInt);
      gauge(registry, "sluice_http_long_polls", longPolls::getAsInt);
    }

    /** Counts a connection that was closed because of its caller or of the limit. */
    public void dropped(String reason) {
      registry.counter("sluice_http_connections_dropped", "reason", reason).increment();
    }

    /**
     * When the certificate of a port expires: {@code
     * sluice_tls_certificate_expires_timestamp_seconds}.
     *
     * @param epochS seconds since 1970
     */
    public void certificateExpires(String port, LongSupplier epochS) {
      gauge(
          registry,
          "sluice_tls_certificate_expires_timestamp_seconds",
          epochS::getAsLong,
          "port",
          port);
    }
  }
}
