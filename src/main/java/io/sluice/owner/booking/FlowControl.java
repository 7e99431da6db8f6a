package io.sluice.owner.booking;

/** How the delivery of a partition's records is held back. */
public interface FlowControl {
  void pause();

  void resume();

  /** When booking rests. */
  default BookingThrottle throttle() {
    return BookingThrottle.NONE;
  }
}
