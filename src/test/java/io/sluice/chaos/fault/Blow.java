package io.sluice.chaos.fault;

/**
 * How a fault is injected and ended. Each step returns when it is done.
 *
 * @param prepare what must be in place before, and is no fault itself
 * @param holdsBefore whether the fault's length passes before it strikes, so that the restored
 *     state is that old
 * @param strike injects the fault
 * @param lift ends it; a server answers again, or an instance has been started, when it returns
 * @param after undoes the preparation
 */
record Blow(Runnable prepare, boolean holdsBefore, Runnable strike, Runnable lift, Runnable after) {
  private static final Runnable NOTHING = () -> {};

  static Blow of(Runnable strike, Runnable lift) {
    return new Blow(NOTHING, false, strike, lift, NOTHING);
  }

  /** Prepares, waits for the fault's length, then strikes. */
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
