package io.sluice.chaos.fault;

/**
 * How a fault is made and mended. Each step returns when it is done.
 *
 * @param prepare what has to be before it, and is no fault itself
 * @param holdsBefore whether the time that it takes passes before it strikes: what comes back then
 *     is that old
 * @param strike breaks
 * @param lift mends; a server answers again when it returns, an instance has been started
 * @param after puts back what was prepared
 */
record Blow(Runnable prepare, boolean holdsBefore, Runnable strike, Runnable lift, Runnable after) {
  private static final Runnable NOTHING = () -> {};

  static Blow of(Runnable strike, Runnable lift) {
    return new Blow(NOTHING, false, strike, lift, NOTHING);
  }

  /** Prepared, then struck some time later. */
  static Blow later(Runnable prepare, Runnable strike, Runnable lift) {
    return new Blow(prepare, true, strike, lift, NOTHING);
  }

  Blow between(Runnable before, Runnable afterwards) {
    return new Blow(before, holdsBefore, strike, lift, afterwards);
  }

  Blow andAfter(Runnable afterwards) {
    return new Blow(prepare, holdsBefore, strike, lift, afterwards);
  }
}
