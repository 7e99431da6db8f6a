package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.metrics.Meters;
import io.sluice.web.OverloadGate.SocketWaits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverloadGateTest {
  private static final String PATH = "/v1/orders";
  private static final HttpRequest ORDER =
      new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, PATH);

  private long nowNanos;
  private int inProgress;
  private boolean full;
  private final SocketWaits waits = new SocketWaits(() -> nowNanos);
  private final OverloadGate unit =
      new OverloadGate(
          PATH,
          () -> full,
          () -> inProgress,
          new Meters(new SimpleMeterRegistry()).answers("place"),
          waits);

  /** Whether requests wait, how many are in progress beyond enough, and whether there is room. */
  @ParameterizedTest
  @CsvSource({
    "true, 0, true, true",
    "true, -1, true, false",
    "false, 0, true, false",
    "false, -1, false, true",
  })
  void shouldRefuseOrdersWhenRequestsWaitAndEnoughAreInProgressOrThereIsNoRoom(
      boolean wait, int beyondEnough, boolean hasRoom, boolean isShut) {
    // given
    if (wait) {
      stand();
    }
    inProgress = OverloadGate.ENOUGH + beyondEnough;
    full = !hasRoom;

    // when then
    assertThat(unit.isShutFor(ORDER)).isEqualTo(isShut);
  }

  private void stand() {
    long late = SocketWaits.TARGET.toMillis() + 1;
    waits.waited(late);
    nowNanos += SocketWaits.INTERVAL.toNanos();
    waits.waited(late);
    assertThat(waits.isStanding()).isTrue();
  }
}
