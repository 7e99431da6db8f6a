package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Delivery is paused while more commands wait than booking may keep in memory. */
class BacklogPauseTest {
  private static final int RECORD = 1_000;

  private final OwnerScene scene = OwnerScene.withStock(3);

  /** Whether delivery was paused at the start of each slice. */
  private final List<Boolean> paused = new ArrayList<>();

  @Test
  void shouldNotPauseWhenAsManyWaitAsMay() {
    // when
    poll(Booking.QUEUE_LINES_MAX);

    // then
    assertThat(paused).hasSize(5).doesNotContain(true);
    assertThat(scene.paused).isFalse();
  }

  /** A slice has 2,000 commands: of 10,001, less than half the limit is left after the third. */
  @Test
  void shouldPauseWhenMoreWaitUntilHalfOfItIsBooked() {
    // when
    poll(Booking.QUEUE_LINES_MAX + 1);

    // then
    assertThat(paused).containsExactly(true, true, true, false, false, false);
  }

  @Test
  void shouldStayPausedWhileExactlyHalfOfItIsLeft() {
    // when
    poll(Booking.QUEUE_LINES_MAX + RECORD);

    // then
    assertThat(paused).containsExactly(true, true, true, true, false, false);
  }

  private void poll(int commands) {
    Command nobodys = new Command.Confirm(scene.token("nobody"));
    for (int left = commands; left > 0; left -= RECORD) {
      List<Command> entry = Collections.nCopies(Math.min(left, RECORD), nobodys);
      scene.append(entry.toArray(Command[]::new));
    }
    scene.calls.instead.put(
        "apply",
        call -> {
          if (!StoreCalls.batch(call).searched()) {
            paused.add(scene.paused);
          }
          return null;
        });
    scene.work();
  }
}
