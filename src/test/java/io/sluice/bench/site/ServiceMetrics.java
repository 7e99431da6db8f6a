package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;

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

  /** All series whose line begins with this. */
  private long sum(String begin) {
    return (long)
        text.lines()
            .filter(line -> line.startsWith(begin))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
  }
}
