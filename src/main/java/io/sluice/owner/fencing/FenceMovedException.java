package io.sluice.owner.fencing;

/**
 * An earlier commit of the same owner took effect although its reply was lost. The owner continues
 * after it.
 */
public final class FenceMovedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FenceMovedException(long nextOffset) {
    super("the log is booked up to offset " + nextOffset + " already");
  }
}
