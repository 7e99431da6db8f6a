package io.sluice.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.model.BundledFile;
import io.sluice.monitor.Alarm;
import io.sluice.monitor.Part;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The meters of the process as a whole: alarms, owners, event loops, and those of the JVM. */
public final class ProcessMeters {
  /** Why an event is not of this ledger. */
  private static final List<String> IGNORED = List.of("forged", "unsigned", "other_ledger");

  private ProcessMeters() {}

  /** What should be rare; its counters are there, at 0, from the start. */
  public enum Rare {
    /** Buyers who were banned by this instance. */
    ADMISSION_BANS("sluice_admission_bans"),
    /** Bans of this instance that others are not informed of. */
    ADMISSION_BANS_UNWRITTEN("sluice_admission_bans_unwritten"),
    /** Buckets in which Redis and the ledger differed, and that are rebuilt. */
    LEDGER_CORRECTIONS("sluice_ledger_corrections"),
    /** Buckets at which the gate had no room for a grant; always 0 in a consistent system. */
    LEDGER_GATE_FULL("sluice_ledger_gate_full"),
    /** Transactions of the ledger that met a lock of another one and are retried. */
    LEDGER_RETRIES("sluice_ledger_retries"),
    /** SKUs that were frozen because an impossible state was found. */
    LEDGER_SKUS_FROZEN("sluice_ledger_skus_frozen"),
    /** Grants of an older epoch that were not booked. */
    LEDGER_STALE_GRANTS("sluice_ledger_stale_grants"),
    /** Grants that {@link OwnerMeters} counts. */
    LEDGER_STRAY_GRANTS("sluice_ledger_stray_grants"),
    /** Outages during which payments were impossible. */
    PAYMENTS_INTERRUPTED("sluice_payments_interrupted"),
    /** Calls to Redis with an unknown outcome. */
    REDIS_CALLS_FAILED("sluice_redis_calls_failed"),
    /** Connections to Redis that were lost or closed on failure. */
    REDIS_CONNECTIONS_LOST("sluice_redis_connections_lost");

    final String meter;

    Rare(String meter) {
      this.meter = meter;
    }
  }

  /** Micrometer keeps only weak references of its own accord. */
  static void gauge(MeterRegistry registry, String name, Supplier<Number> value, String... tags) {
    Gauge.builder(name, value).tags(tags).strongReference(true).register(registry);
  }

  static void gauge(MeterRegistry registry, String name, int partition, Supplier<Number> value) {
    gauge(registry, name, value, "partition", String.valueOf(partition));
  }

  static Timer timer(MeterRegistry registry, String name, Duration[] bounds, String... tags) {
    return Timer.builder(name).serviceLevelObjectives(bounds).tags(tags).register(registry);
  }

  /** Counts each alarm under its name, also those that were raised before: sluice_alarms_total. */
  public static void alarms(MeterRegistry registry) {
    for (Alarm alarm : Alarm.values()) {
      FunctionCounter.builder("sluice_alarms", alarm, Alarm::raised)
          .tag("alarm", alarm.word())
          .register(registry);
    }
  }

  /**
   * Registers counters that are rarely incremented: without a series that is 0 before, the first
   * increment would be no increase to an alert rule.
   */
  static void zeros(MeterRegistry registry) {
    Stream.of(Rare.values()).forEach(rare -> registry.counter(rare.meter));
    IGNORED.forEach(reason -> registry.counter("sluice_events_ignored", "reason", reason));
  }

  /** How late the calling event loop is: {@code sluice_event_loop_lag_seconds}. */
  public static LoopLag loopLag(MeterRegistry registry, LongSupplier nanoTime) {
    return new LoopLag(
        timer(registry, "sluice_event_loop_lag", Bounds.ms(1, 5, 20, 100, 500)), nanoTime);
  }

  /** The partitions that this instance owns: {@code sluice_owned_partitions}. */
  public static void ownedPartitions(MeterRegistry registry, IntSupplier count) {
    gauge(registry, "sluice_owned_partitions", count::getAsInt);
  }

  /** Whether each of these parts can be reached and answers: {@code sluice_part_up}. */
  public static void parts(MeterRegistry registry, List<Part> parts) {
    for (Part part : parts) {
      Gauge.builder("sluice_part_up", part, each -> each.isAway() ? 0 : 1)
          .tag("part", part.word())
          .register(registry);
    }
  }

  /**
   * For how long no heartbeat of an owner of this partition was seen: {@code
   * sluice_owner_silence_seconds}.
   */
  public static void ownerSilence(MeterRegistry registry, int partition, DoubleSupplier seconds) {
    gauge(registry, "sluice_owner_silence_seconds", partition, seconds::getAsDouble);
  }

  /**
   * The records of each partition that are not booked, and the term of its owner: {@code
   * sluice_log_partition_backlog_records}, {@code sluice_owner_term}.
   */
  public static void partitions(
      MeterRegistry registry, int count, IntToLongFunction backlog, IntToLongFunction term) {
    for (int each = 0; each < count; each++) {
      int partition = each;
      gauge(
          registry,
          "sluice_log_partition_backlog_records",
          partition,
          () -> backlog.applyAsLong(partition));
      gauge(registry, "sluice_owner_term", partition, () -> term.applyAsLong(partition));
    }
  }

  /**
   * How many milliseconds this part's clock is ahead of the ledger's, negative if it is behind:
   * {@code sluice_clock_skew_seconds}.
   */
  public static void clockSkew(MeterRegistry registry, String part, LongSupplier ms) {
    gauge(registry, "sluice_clock_skew_seconds", () -> ms.getAsLong() / 1_000.0, "part", part);
  }

  /** Memory, garbage collection, threads, processor, open files and uptime. Once per process. */
  @SuppressWarnings("resource") // It listens to the collectors for as long as the process lives.
  public static void jvm(MeterRegistry registry) {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmGcMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  /** How late an event loop runs a task that is due at a known time. Used by one event loop. */
  public static final class LoopLag {
    /** How often {@link #tick} is due. */
    public static final long EVERY_MS = 100;

    private final Timer lag;
    private final LongSupplier nanoTime;
    private long dueNanos;

    LoopLag(Timer lag, LongSupplier nanoTime) {
      this.lag = lag;
      this.nanoTime = nanoTime;
      this.dueNanos = due(nanoTime.getAsLong());
    }

    /** Called by a timer. */
    public void tick() {
      long now = nanoTime.getAsLong();
      lag.record(Math.max(0, now - dueNanos), TimeUnit.NANOSECONDS);
      dueNanos = due(now);
    }

    private static long due(long fromNanos) {
      return fromNanos + TimeUnit.MILLISECONDS.toNanos(EVERY_MS);
    }
  }

  /** The bounds of the buckets of a histogram. */
  static final class Bounds {
    /** The goal is that 99 of 100 are below 250 ms; scans come in steps of 100 ms. */
    static final Duration[] OF_TIMEOUTS = ms(50, 100, 150, 200, 250, 500, 1_000, 5_000, 30_000);

    static final Duration[] OF_APPENDS = ms(2, 5, 20, 100, 500, 2_000);

    private Bounds() {}

    static Duration[] ms(long... bounds) {
      return LongStream.of(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }
  }

  /**
   * Describes each meter of the service as {@code metrics.yaml} does, so that there is one text for
   * the page of operators and for the HELP of a scrape.
   */
  public static final class MeterHelp implements MeterFilter {
    private static final String FILE = "/metrics.yaml";
    private static final String OURS = "sluice_";
    private static final String TOTAL = "_total";

    private final Map<String, String> texts;
    private final NamingConvention naming;

    private MeterHelp(Map<String, String> texts, NamingConvention naming) {
      this.texts = texts;
      this.naming = naming;
    }

    /** A registry for a scrape, whose meters are described. */
    public static PrometheusMeterRegistry registry() {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      registry.config().meterFilter(new MeterHelp(read(), registry.config().namingConvention()));
      return registry;
    }

    @Override
    public Meter.Id map(Meter.Id id) {
      String text = id.getName().startsWith(OURS) ? texts.get(scraped(id)) : null;
      return text == null
          ? id
          : new Meter.Id(id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), text, id.getType());
    }

    /** Its name in a scrape, in which the ending of a counter is added at last. */
    private String scraped(Meter.Id id) {
      String name = naming.name(id.getName(), id.getType(), id.getBaseUnit());
      boolean isBare = id.getType() == Meter.Type.COUNTER && !name.endsWith(TOTAL);
      return isBare ? name + TOTAL : name;
    }

    /** The meaning of each metric, by its name in a scrape. */
    private static Map<String, String> read() {
      Map<String, Map<String, @Nullable Object>> metrics =
          new Yaml(new SafeConstructor(new LoaderOptions())).load(BundledFile.text(FILE));
      Map<String, String> texts = new HashMap<>();
      metrics.forEach((name, metric) -> texts.put(name, String.valueOf(metric.get("means"))));
      return texts;
    }
  }
}
