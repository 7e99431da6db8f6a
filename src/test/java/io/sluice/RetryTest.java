package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTest {
  private static final int RETRIES = 20_000;

  private final Queue<Promise<Void>> pauses = new ArrayDeque<>();
  private int attempts;
  private int told;
  private ConnectFault lastFault = ConnectFault.FAILED;
  private final Opening.Retry unit =
      new Opening.Retry(
          delay -> {
            Promise<Void> pause = Promise.promise();
            pauses.add(pause);
            return pause.future();
          },
          (part, fault) -> {
            told++;
            lastFault = fault;
          },
          IllegalStateException.class::isInstance);

  /** As many retries as a store outage of three hours causes; none may deepen the stack. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldReachThePartOrPassAFinalFailureOnAfterAnyNumberOfRetries(boolean isHere) {
    // given
    Future<String> last =
        isHere
            ? Future.succeededFuture("here")
            : Future.failedFuture(new IllegalStateException("wrong one"));
    Future<String> reached =
        unit.until("redis", () -> ++attempts > RETRIES ? last : Future.failedFuture("away"));

    // when
    pass(RETRIES);

    // then
    assertThat(reached.result()).isEqualTo(last.result());
    assertThat(reached.cause()).isEqualTo(last.cause());
    assertThat(reached.isComplete()).isTrue();
    assertThat(told).isEqualTo(RETRIES);
  }

  @Test
  void shouldBeginNoAttemptOnceStopped() {
    // given
    Future<String> reached = unit.until("redis", () -> attempt(Future.failedFuture("away")));
    unit.stop();

    // when
    pass(2);

    // then
    assertThat(reached.cause()).hasMessage("away");
    assertThat(attempts).isEqualTo(2);
  }

  /** What /readyz shows to anyone is one of a few words; the cause is for the log. */
  @Test
  void shouldTellAClosedReasonAndLogTheCause() {
    // given
    Throwable cause =
        new ConnectFailure(
            ConnectFault.LOGIN_REFUSED, new IllegalStateException("user 'canary' at 10.0.0.1"));

    try (LogWatch log = LogWatch.of(Opening.class)) {
      // when
      unit.until("mysql", () -> attempt(Future.failedFuture(cause)));

      // then
      assertThat(lastFault).isEqualTo(ConnectFault.LOGIN_REFUSED);
      assertThat(lastFault.text()).isEqualTo("login refused");
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains("login refused")
          .contains("user 'canary' at 10.0.0.1");
    }
  }

  private Future<String> attempt(Future<String> outcome) {
    attempts++;
    return outcome;
  }

  private void pass(int count) {
    for (int i = 0; i < count && !pauses.isEmpty(); i++) {
      pauses.remove().complete();
    }
  }
}
