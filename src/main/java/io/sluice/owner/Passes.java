package io.sluice.owner;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The passes of one owner, so that one that stands still is found, whichever it is.
 *
 * <p>What a step waits for has a time limit of its own, and the wait for a turn is watched by the
 * {@link Turns}; a step that takes longer than {@link Pass#STUCK_AFTER} all the same is a fault of
 * ours. It is not begun a second time beside itself: the ownership ends, and its successor begins
 * anew under a higher term.
 */
final class Passes {
  private final Ownership ownership;
  private final List<Pass> all = new ArrayList<>();

  Passes(Ownership ownership) {
    this.ownership = ownership;
  }

  Pass make(String name, Supplier<Future<Boolean>> step) {
    Pass pass = new Pass(name, ownership.partition(), step);
    all.add(pass);
    return pass;
  }

  /** A timer's call, each {@link Patience#TICK}, unless they may be waiting for a turn. */
  void tick() {
    for (Pass pass : all) {
      if (pass.isStuck()) {
        ownership.lose();
        return;
      }
    }
  }
}
