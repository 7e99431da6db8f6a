package io.sluice.explore.store;

/** The faults at a single call of a store. */
public enum Fault {
  /** The call never arrives, and its caller gets a failure. */
  REQUEST_LOST(0.010),
  /** The call is performed, but its caller gets a failure. */
  REPLY_LOST(0.010),
  /** Its caller gets a failure, and the call is performed only then, perhaps much later. */
  LATE(0.008),
  /** It is performed only after seconds, and the caller has waited for the answer. */
  SLOW(0.05),
  /** It is performed twice, as by a producer's retry; or a request reaches two instances. */
  TWICE(0.020),
  /** Only the first of several events is published, and the caller gets a failure. */
  CUT_SHORT(0.020),
  /** The caller is paused for seconds during the call, then continues without noticing. */
  PAUSE(0.004),
  /** The caller crashes during the call. */
  CRASH(0.003),
  /** The partition is given to another instance during the call. */
  MOVE(0.003),
  /** Redis is replaced by another process, which is empty. */
  REDIS_EMPTY(0.0008),
  /** Redis is replaced by another process with older data. */
  REDIS_OLD(0.0016),
  /** Redis is replaced by another process with the same data. */
  REDIS_SAME(0.0006),
  /** The store answers no call for seconds. */
  AWAY(0.0008),
  /** Redis' clock is set forward or back, by up to an hour, or is corrected. */
  CLOCK_STEPPED(0.0012),
  /**
   * Redis' replica is promoted, perhaps with older data, while some nodes still reach only the
   * former primary, as in a cluster that is cut in two; only where Redis has replicas.
   */
  PRIMARY_CUT_OFF(0.002);

  private final double rate;

  Fault(double rate) {
    this.rate = rate;
  }

  /** The probability per call, before the scenario's factor, in scenarios that have this fault. */
  public double rate() {
    return rate;
  }
}
