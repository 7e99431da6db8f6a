package io.sluice.bench;

import io.sluice.testkit.Call;

/** What the service itself counted. */
record ServiceMetrics(String text) {
  static ServiceMetrics of(Site site) {
    return new ServiceMetrics(
        site.caller().ask(Call.get(site.service().adminUrl() + "/metrics")).body());
  }

  /** Requests that were answered sold-out. */
  long soldOut() {
    return sum("sluice_refusals_total{refusal=\"sold-out\"");
  }

  private long sum(String begin) {
    return (long)
        text.lines()
            .filter(line -> line.startsWith(begin))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
  }
}
