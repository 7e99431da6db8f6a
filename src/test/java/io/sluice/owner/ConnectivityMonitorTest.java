package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.owner.OwnerSupervisor.ConnectivityMonitor;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectivityMonitorTest {
  private long nowS;
  private Future<String> ledger = Future.succeededFuture("answer");
  private Future<String> redis = Future.succeededFuture("answer");
  private final ConnectivityMonitor unit =
      new ConnectivityMonitor(() -> ledger, () -> redis, () -> TimeUnit.SECONDS.toNanos(nowS));

  private boolean lookAt(long second) {
    nowS = second;
    return unit.look().result();
  }

  @Test
  void shouldNotBeCutOffWhenBothAnswer() {
    // when
    boolean whole = lookAt(100);

    // then
    assertThat(whole).isTrue();
    assertThat(unit.isCutOff()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ledger", "redis"})
  void shouldBeCutOffWhenOneOfThemHasNotAnsweredForLong(String away) {
    // given
    lookAt(10);
    if (away.equals("ledger")) {
      ledger = Future.failedFuture("away");
    } else {
      redis = Future.failedFuture("away");
    }

    // when
    boolean whole = lookAt(18);
    boolean early = unit.isCutOff();
    lookAt(19);

    // then
    assertThat(whole).isFalse();
    assertThat(early).isFalse();
    assertThat(unit.isCutOff()).isTrue();
  }

  @Test
  void shouldNotBeCutOffWhenItAnswersNowAndThen() {
    // given
    redis = Future.failedFuture("away");
    lookAt(8);
    redis = Future.succeededFuture("answer");
    lookAt(14);
    redis = Future.failedFuture("away");

    // when
    lookAt(22);

    // then
    assertThat(unit.isCutOff()).isFalse();
  }

  @Test
  void shouldStartAnewWhenToldTo() {
    // given
    ledger = Future.failedFuture("away");
    lookAt(20);

    // when
    unit.restart();

    // then
    assertThat(unit.isCutOff()).isFalse();
  }
}
