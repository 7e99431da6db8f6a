package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.metrics.Meters;
import io.sluice.web.OverloadGate.SocketWaits;
import org.junit.jupiter.api.Test;

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

  @Test
  void shouldRefuseOrdersWhenRequestsWaitAndEnoughAreInProgress() {
    // given
    stand();

    // when
    inProgress = OverloadGate.ENOUGH;

    // then
    assertThat(unit.isShutFor(ORDER)).isTrue();
  }

  @Test
  void shouldLetOrdersInWhenRequestsWaitButFewAreInProgress() {
    // given
    stand();

    // when
    inProgress = OverloadGate.ENOUGH - 1;

    // then
    assertThat(unit.isShutFor(ORDER)).isFalse();
  }

  @Test
  void shouldLetOrdersInWhenManyAreInProgressAndNoneWaits() {
    // when
    inProgress = OverloadGate.ENOUGH;

    // then
    assertThat(unit.isShutFor(ORDER)).isFalse();
  }

  @Test
  void shouldRefuseOrdersWhenThereIsNoRoom() {
    // when
    full = true;

    // then
    assertThat(unit.isShutFor(ORDER)).isTrue();
  }

  private void stand() {
    long late = SocketWaits.TARGET.toMillis() + 1;
    waits.waited(late);
    nowNanos += SocketWaits.INTERVAL.toNanos();
    waits.waited(late);
    assertThat(waits.isStanding()).isTrue();
  }
}
