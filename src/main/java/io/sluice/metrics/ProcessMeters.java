package io.sluice.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.sluice.alarm.Alarm;
import io.sluice.alarm.Part;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;

/** The meters of the process as a whole: alarms, owners, event loops, and those of the JVM. */
public final class ProcessMeters {
  private static final String PARTITION = "partition";
  private static final List<String> RARE =
      List.of(
          "sluice_admission_bans",
          "sluice_admission_bans_unwritten",
          "sluice_ledger_corrections",
          "sluice_ledger_gate_full",
          "sluice_ledger_retries",
          "sluice_ledger_skus_frozen",
          "sluice_ledger_stale_grants",
          "sluice_ledger_stray_grants",
          "sluice_payments_interrupted",
          "sluice_redis_calls_failed",
          "sluice_redis_connections_lost");

  /** Why an event is not of this ledger. */
  private static final List<String> IGNORED = List.of("forged", "unsigned", "other_ledger");

  private ProcessMeters() {}

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
    RARE.forEach(name -> registry.counter(name));
    IGNORED.forEach(reason -> registry.counter("sluice_events_ignored", "reason", reason));
  }

  /** How late the calling event loop is: {@code sluice_event_loop_lag_seconds}. */
  public static LoopLag loopLag(MeterRegistry registry, LongSupplier nanoTime) {
    return new LoopLag(
        Timer.builder("sluice_event_loop_lag")
            .serviceLevelObjectives(Bounds.ms(1, 5, 20, 100, 500))
            .register(registry),
        nanoTime);
  }

  /** The partitions that this instance owns: {@code sluice_owned_partitions}. */
  public static void ownedPartitions(MeterRegistry registry, IntSupplier count) {
    Gauge.builder("sluice_owned_partitions", count::getAsInt)
        .strongReference(true)
        .register(registry);
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
    Gauge.builder("sluice_owner_silence_seconds", seconds::getAsDouble)
        .tag(PARTITION, String.valueOf(partition))
        .strongReference(true)
        .register(registry);
  }

  /**
   * The records of each partition that are not booked, and the term of its owner: {@code
   * sluice_log_partition_backlog_records}, {@code sluice_owner_term}.
   */
  public static void partitions(
      MeterRegistry registry, int count, IntToLongFunction backlog, IntToLongFunction term) {
    for (int each = 0; each < count; each++) {
      int partition = each;
      Gauge.builder("sluice_log_partition_backlog_records", () -> backlog.applyAsLong(partition))
          .tag(PARTITION, String.valueOf(partition))
          .strongReference(true)
          .register(registry);
      Gauge.builder("sluice_owner_term", () -> term.applyAsLong(partition))
          .tag(PARTITION, String.valueOf(partition))
          .strongReference(true)
          .register(registry);
    }
  }

  /**
   * How many milliseconds this part's clock is ahead of the ledger's, negative if it is behind:
   * {@code sluice_clock_skew_seconds}.
   */
  public static void clockSkew(MeterRegistry registry, String part, LongSupplier ms) {
    Gauge.builder("sluice_clock_skew_seconds", () -> ms.getAsLong() / 1_000.0)
        .tag("part", part)
        .strongReference(true)
        .register(registry);
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
}
