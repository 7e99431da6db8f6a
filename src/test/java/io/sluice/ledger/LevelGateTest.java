package io.sluice.ledger;

import static io.sluice.reservation.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.reservation.ManualLoop;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class LevelGateTest {
  private final ManualLoop time = new ManualLoop();
  private final Deque<Future<Boolean>> answers = new ArrayDeque<>();
  private final LevelGate unit =
      new LevelGate(level -> answers.remove(), Levels.NOTES, time.loop().nanoTime());

  @Test
  void shouldAskOnceWhenItIsRaised() {
    // given
    answers.add(Future.succeededFuture(true));

    // when
    boolean first = answer(unit.isRaised());
    time.advanceMs(60_000);
    boolean later = answer(unit.isRaised());

    // then
    assertThat(List.of(first, later)).containsExactly(true, true);
  }

  @Test
  void shouldAskAgainAfterASecondWhenItIsNot() {
    // given
    answers.add(Future.succeededFuture(false));
    answers.add(Future.failedFuture("down"));
    answers.add(Future.succeededFuture(true));

    // when
    boolean first = answer(unit.isRaised());
    boolean atOnce = answer(unit.isRaised());
    time.advanceMs(1_000);
    boolean whileDown = unit.isRaised().failed();
    time.advanceMs(1_000);
    boolean then = answer(unit.isRaised());

    // then
    assertThat(List.of(first, atOnce, whileDown, then)).containsExactly(false, false, true, true);
    assertThat(answers).isEmpty();
  }
}
