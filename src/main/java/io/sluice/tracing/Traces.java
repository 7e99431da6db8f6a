package io.sluice.tracing;

import io.vertx.core.Future;

/** Decides which orders and requests are recorded, and takes their spans. Thread-safe. */
public interface Traces {

  /** Records nothing. */
  Traces OFF = new Off();

  /** Whether anything can be recorded. */
  boolean isOn();

  /**
   * Whether this order is among those of which everything is recorded. Follows from the token: the
   * same on every instance with this ratio, at any time. False for a text that is no token.
   */
  boolean samples(String orderToken);

  /**
   * Whether one more failure may be recorded now, of something that is not sampled.
   *
   * @param busy whether it was only refused for want of room; these do not use up the room of the
   *     others
   */
  boolean takesFailure(boolean busy);

  /** Whether one more trace may be recorded now that a caller asks for. */
  boolean takesAsked();

  /** Takes a span; never blocks, and drops it if too many wait to be sent. */
  void record(Span span);

  /** Sends what waits, once. Completes on any thread. */
  default Future<Void> close() {
    return Future.succeededFuture();
  }

  /** See {@link #OFF}. */
  final class Off implements Traces {
    private Off() {}

    @Override
    public boolean isOn() {
      return false;
    }

    @Override
    public boolean samples(String orderToken) {
      return false;
    }

    @Override
    public boolean takesFailure(boolean busy) {
      return false;
    }

    @Override
    public boolean takesAsked() {
      return false;
    }

    @Override
    public void record(Span span) {
      throw new IllegalStateException("Expected nothing to record, but got " + span.name());
    }
  }
}
