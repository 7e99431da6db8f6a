package io.sluice.reservation.grant;

import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import java.time.Duration;
import java.util.List;

/**
 * The requests of one call of Redis and their deadline. The clock starts with the batch, before
 * anything is sent; when it runs out, every request that is still open is answered.
 */
final class GrantBatch {
  private final LoopContext loop;
  private final Duration deadline;
  private final List<GrantRequest> requests;
  private final long startNanos;
  private int open;

  GrantBatch(
      LoopContext loop, TimerQueue deadlines, Duration deadline, List<GrantRequest> requests) {
    this.loop = loop;
    this.deadline = deadline;
    this.requests = requests;
    this.open = requests.size();
    this.startNanos = loop.now();
    TimerQueue.Deadline end = deadlines.after(deadline, this::giveUp);
    for (GrantRequest request : requests) {
      request.answer().onComplete(answered -> cancelAfterLast(end));
    }
  }

  /** When nothing of it was sent yet. */
  long startNanos() {
    return startNanos;
  }

  List<GrantRequest> requests() {
    return requests;
  }

  /** Whether a yes would come too late; a rebuild may already count on there being none. */
  boolean isLate() {
    return loop.since(startNanos).compareTo(deadline) > 0;
  }

  void giveUp() {
    requests.forEach(GrantRequest::giveUp);
  }

  private void cancelAfterLast(TimerQueue.Deadline end) {
    open--;
    if (open == 0) {
      end.cancel();
    }
  }
}
