package io.sluice.tracing;

import io.vertx.core.Future;

/** Decides which orders and requests are recorded, and takes their spans. Thread-safe. */
public interface Traces {

  /** Records nothing. */
  Traces OFF = new Traces() {};

  /** Whether anything can be recorded. */
  default boolean isOn() {
    return false;
  }

  /**
   * Whether this order is among those of which everything is recorded. Follows from the token: the
   * same on every instance with this ratio, at any time. False for a text that is no token.
   */
  default boolean samples(String orderToken) {
    return false;
  }

  /**
   * Whether one more failure may be recorded now, of something that is not sampled.
   *
   * @param busy whether it was only refused for want of room; these do not use up the room of the
   *     others
   */
  default boolean takesFailure(boolean busy) {
    return false;
  }

  /** Whether one more trace may be recorded now that a caller asks for. */
  default boolean takesAsked() {
    return false;
  }

  /** Takes a span; never blocks, and drops it if too many wait to be sent. */
  default void record(Span span) {
    throw new IllegalStateException("Expected nothing to record, but got " + span.name());
  }

  /** Sends what waits, once. Completes on any thread. */
  default Future<Void> close() {
    return Future.succeededFuture();
  }
}
