package io.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.metrics.Meters.BookingMeters;
import io.sluice.metrics.ProcessMeters.Rare;
import org.junit.jupiter.api.Test;

/** The meters, as Prometheus reads them. */
class ProcessMetersTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @Test
  void shouldShowRareCountersAsZeroFromTheStart() {
    // when
    Meters meters = new Meters(registry);

    // then
    assertThat(registry.scrape())
        .contains(
            "sluice_ledger_corrections_total 0.0",
            "sluice_ledger_skus_frozen_total 0.0",
            "sluice_payments_interrupted_total 0.0",
            "sluice_alarms_total{alarm=\"gate-full\"}");

    // when
    meters.count(Rare.LEDGER_CORRECTIONS);
    meters.count(Rare.PAYMENTS_INTERRUPTED);

    // then
    assertThat(registry.scrape())
        .contains("sluice_ledger_corrections_total 1.0", "sluice_payments_interrupted_total 1.0");
  }

  @Test
  void shouldShowEachPartition() {
    // when
    ProcessMeters.partitions(registry, 2, partition -> 10L + partition, partition -> 7);
    ProcessMeters.ownerSilence(registry, 1, () -> 2.5);
    ProcessMeters.ownedPartitions(registry, () -> 2);

    // then
    assertThat(registry.scrape())
        .contains(
            "sluice_log_partition_backlog_records{partition=\"0\"} 10.0",
            "sluice_log_partition_backlog_records{partition=\"1\"} 11.0",
            "sluice_owner_term{partition=\"1\"} 7.0",
            "sluice_owner_silence_seconds{partition=\"1\"} 2.5",
            "sluice_owned_partitions 2.0");
  }

  @Test
  void shouldMeasureTheWayFromAGrantToTheLedger() {
    // given
    BookingMeters booking = new Meters(registry).booking();

    // when
    booking.applied(booking.begin(), 12);
    booking.booked(10, 2, 400);
    booking.booked(0, 0, 0);
    booking.rebuildBegun();

    // then
    assertThat(registry.scrape())
        .contains(
            "sluice_booking_seconds_count 1",
            "sluice_booking_batch_size_sum 12.0",
            "sluice_booked_orders_total 10.0",
            "sluice_booked_duplicates_total 2.0",
            "sluice_booked_lag_seconds_bucket{le=\"0.1\"} 0",
            "sluice_booked_lag_seconds_bucket{le=\"0.5\"} 1",
            "sluice_rebuilds_total 1.0");
  }

  @Test
  void shouldShowTheJvm() {
    // when
    ProcessMeters.jvm(registry);

    // then
    assertThat(registry.scrape())
        .contains(
            "jvm_memory_used_bytes{area=\"heap\"",
            "jvm_threads_live_threads ",
            "process_cpu_usage ",
            "process_uptime_seconds ");
  }
}
