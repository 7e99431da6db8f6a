package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.MetricsPage;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.sluice.testkit.site.SluiceProcess.Exit;
import io.sluice.testkit.trace.Collector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A collector that is away or answers nothing costs spans, and nothing else. */
class CollectorAwayIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int ORDERS = 200;
  private static final String WARNING = "trace collector does not take spans";

  @RegisterExtension static final SaleSite site = SaleSite.withInstances(0).withFaults();

  private static SluiceProcess tracedTo(String endpoint) {
    return site.newInstance(
            Map.of(
                "SLUICE_TRACING_ENDPOINT",
                endpoint,
                "SLUICE_TRACING_SAMPLE_ONE_IN",
                "1",
                "SLUICE_TRACING_QUEUE_MAX",
                "512"))
        .start()
        .awaitReady();
  }

  @ParameterizedTest
  @ValueSource(strings = {"away", "silent"})
  void shouldSellAndCountWhatIsLost(String state) {
    // given
    Collector collector = Collector.start();
    if (state.equals("silent")) {
      collector.fallSilent();
    } else {
      collector.close();
    }
    SluiceProcess unit = tracedTo(collector.endpoint());
    Sale sale = site.sale(site.newSkuId(), unit).withStock(ORDERS).open().at(unit);

    // when
    List<Answer> answers = Buyer.crowd(ORDERS).stream().map(sale::order).toList();

    // then
    assertThat(answers).extracting(Answer::status).containsOnly(201);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              MetricsPage page = MetricsPage.of(site, unit);
              assertThat(page.value("sluice_trace_spans_total{outcome=\"failed\"}")).isPositive();
              assertThat(page.value("sluice_trace_spans_total{outcome=\"dropped\"}")).isPositive();
              assertThat(page.value("sluice_trace_spans_total{outcome=\"sent\"}")).isZero();
            });
    assertThat(unit.log().lines().filter(line -> line.contains(WARNING))).hasSize(1);
    assertThat(unit.log()).doesNotContain("Exception");
    Exit exit = unit.terminate();
    assertThat(exit.code()).isZero();
    assertThat(exit.took()).isLessThan(Duration.ofSeconds(9));
    collector.close();
    unit.start().awaitReady();
  }
}
