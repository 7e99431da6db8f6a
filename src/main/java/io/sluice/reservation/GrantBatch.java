package io.sluice.reservation;

import java.time.Duration;
import java.util.List;

/**
 * The wishes of one call of Redis and their deadline. The clock starts with the batch, before
 * anything is sent; when it runs out, every wish that is still open is answered.
 */
final class GrantBatch {
  private final Loop loop;
  private final Duration deadline;
  private final List<Wish> wishes;
  private final long startNanos;
  private int open;

  GrantBatch(Loop loop, Deadlines deadlines, Duration deadline, List<Wish> wishes) {
    this.loop = loop;
    this.deadline = deadline;
    this.wishes = wishes;
    this.open = wishes.size();
    this.startNanos = loop.now();
    Deadlines.Deadline end = deadlines.after(deadline, this::giveUp);
    for (Wish wish : wishes) {
      wish.answer().onComplete(answered -> cancelAfterLast(end));
    }
  }

  /** When nothing of it was sent yet. */
  long startNanos() {
    return startNanos;
  }

  List<Wish> wishes() {
    return wishes;
  }

  /** Whether a yes would come too late; a rebuild may already count on there being none. */
  boolean isLate() {
    return loop.since(startNanos).compareTo(deadline) > 0;
  }

  void giveUp() {
    wishes.forEach(Wish::giveUp);
  }

  private void cancelAfterLast(Deadlines.Deadline end) {
    open--;
    if (open == 0) {
      end.cancel();
    }
  }
}
