package io.sluice.reservation.grant;

import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import java.time.Duration;
import java.util.List;

/**
 * The requests of one call to Redis, and their deadline. The deadline counts from the creation of
 * the batch, before anything is sent. When it expires, every request that is still open is
 * answered.
 */
final class GrantBatch<R extends OpenRequest> {
  private final LoopContext loop;
  private final Duration deadline;
  private final List<R> requests;
  private final long startNanos;
  private int open;

  GrantBatch(LoopContext loop, TimerQueue deadlines, Duration deadline, List<R> requests) {
    this.loop = loop;
    this.deadline = deadline;
    this.requests = requests;
    this.open = requests.size();
    this.startNanos = loop.now();
    TimerQueue.Deadline end = deadlines.after(deadline, this::giveUp);
    for (R request : requests) {
      request.answer().onComplete(answered -> cancelAfterLast(end));
    }
  }

  /** The time before anything was sent. */
  long startNanos() {
    return startNanos;
  }

  List<R> requests() {
    return requests;
  }

  /**
   * Whether the grant deadline has passed. Grants must not be acknowledged any more then, because a
   * rebuild may already rely on that.
   */
  boolean isLate() {
    return loop.since(startNanos).compareTo(deadline) > 0;
  }

  void giveUp() {
    requests.forEach(OpenRequest::giveUp);
  }

  private void cancelAfterLast(TimerQueue.Deadline end) {
    open--;
    if (open == 0) {
      end.cancel();
    }
  }
}
