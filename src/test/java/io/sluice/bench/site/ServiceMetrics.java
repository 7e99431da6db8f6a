package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import java.util.Locale;

/** The service's own metrics. */
public record ServiceMetrics(String text) {
  public static ServiceMetrics of(Site site) {
    Answer answer = site.caller().ask(Call.get(site.service().adminUrl() + "/metrics"));
    if (!answer.isYes()) {
      throw new BenchException("Expected the metrics, but: " + answer);
    }
    return new ServiceMetrics(answer.body());
  }

  /** Requests answered with sold-out. */
  public long soldOut() {
    return sum("sluice_refusals_total{refusal=\"sold-out\"");
  }

  /** Orders granted. */
  public long grants() {
    return sum("sluice_grants_total");
  }

  /** How often units have moved between buckets. */
  public long moves() {
    return sum("sluice_moves_total");
  }

  /** The units that have moved. */
  public long movedUnits() {
    return sum("sluice_moved_units_total");
  }

  /** Orders booked past the log, those of direct SKUs included. */
  public long directBookings() {
    return sum("sluice_direct_bookings_total");
  }

  /** Orders in the log that are not booked; an estimate. */
  public long logBacklog() {
    return sum("sluice_log_backlog_orders");
  }

  /** As text: average size of batches and records since {@code before}, and how long they took. */
  public String batchesSince(ServiceMetrics before) {
    double batches = since(before, "sluice_grant_batch_size_count");
    double requests = since(before, "sluice_grant_batch_size_sum");
    double records = since(before, "sluice_log_append_seconds_count");
    double acks = since(before, "sluice_log_append_seconds_sum");
    double calls = since(before, "sluice_redis_call_seconds_count{script=\"reserve.lua\"");
    double redis = since(before, "sluice_redis_call_seconds_sum{script=\"reserve.lua\"");
    return String.format(
        Locale.ROOT,
        "%.1f orders a batch, Redis answers in %.2f ms; the log acknowledges in %.2f ms (%,.0f appends)",
        requests / batches,
        1e3 * redis / calls,
        1e3 * acks / records,
        records);
  }

  private double since(ServiceMetrics before, String begin) {
    return total(begin) - before.total(begin);
  }

  private long sum(String begin) {
    return (long) total(begin);
  }

  private double total(String begin) {
    return text.lines()
        .filter(line -> line.startsWith(begin))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
