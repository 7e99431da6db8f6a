package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {
  /** The default of nginx and of cloud load balancers, for connections to a server behind them. */
  private static final Duration LOAD_BALANCERS_KEEP = Duration.ofSeconds(60);

  @Test
  void shouldKeepIdleConnectionsForLongerThanLoadBalancersDo() {
    // when
    var options = OpenConnections.settings("127.0.0.1", 0, 16_384);

    // then
    var kept = Duration.of(options.getIdleTimeout(), options.getIdleTimeoutUnit().toChronoUnit());
    assertThat(kept).isGreaterThan(LOAD_BALANCERS_KEEP.plusSeconds(10));
  }
}
