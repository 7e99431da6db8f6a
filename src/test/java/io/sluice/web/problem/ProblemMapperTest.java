package io.sluice.web.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProblemMapperTest {
  @Test
  void shouldAnswerUnavailableWhenTheInstanceEndsInTheMiddleOfAWait() {
    // given
    var vertx = Vertx.vertx();
    var timer = vertx.timer(1, TimeUnit.HOURS);

    // when
    timer.cancel();

    // then
    await().until(timer::failed);
    assertThat(ProblemMapper.problem(timer.cause(), "admin_restock")).isEqualTo(Problem.PART_DOWN);
    vertx.close();
  }

  @Test
  void shouldAnswerInternalWhenTheReasonIsUnexpected() {
    // when
    Problem problem = ProblemMapper.problem(new IllegalStateException("a bug"), "none");

    // then
    assertThat(problem).isEqualTo(Problem.INTERNAL);
  }
}
