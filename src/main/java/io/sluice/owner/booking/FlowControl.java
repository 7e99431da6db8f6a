package io.sluice.owner.booking;

/** Back-pressure on the delivery of a partition's records. */
public interface FlowControl {
  void pause();

  void resume();

  /** Decides how long booking pauses between slices. */
  default BookingThrottle throttle() {
    return BookingThrottle.NONE;
  }
}
