package io.sluice.owner.booking;

/**
 * The signals of booking to its host: back-pressure on the delivery of records, and strays among
 * them.
 */
public interface FlowControl {
  void pause();

  void resume();

  /** Decides how long booking pauses between slices. */
  default BookingThrottle throttle() {
    return BookingThrottle.NONE;
  }

  /** Grants were dropped that a Redis process made which has no bucket any more. */
  default void strayed(int grants) {}
}
