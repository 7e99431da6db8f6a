package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FailureProblemTest {
  @Test
  void shouldAnswerUnavailableWhenTheInstanceEndsInTheMiddleOfAWait() {
    // given
    var vertx = Vertx.vertx();
    var timer = vertx.timer(1, TimeUnit.HOURS);

    // when
    timer.cancel();

    // then
    await().until(timer::failed);
    assertThat(Problem.ofFailure(timer.cause(), "admin_restock", line -> line))
        .isEqualTo(Problem.PART_DOWN);
    vertx.close();
  }

  @Test
  void shouldAnswerInternalWhenTheReasonIsUnexpected() {
    // when
    Problem problem = Problem.ofFailure(new IllegalStateException("a bug"), "none", line -> line);

    // then
    assertThat(problem).isEqualTo(Problem.INTERNAL);
  }
}
