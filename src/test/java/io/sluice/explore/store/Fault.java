package io.sluice.explore.store;

/** What can go wrong at one call of a store. */
public enum Fault {
  /** The call never arrives, and its caller hears of a failure. */
  REQUEST_LOST(0.010),
  /** The call is done, but its caller hears of a failure. */
  REPLY_LOST(0.010),
  /** Its caller hears of a failure, and the call is done only then, much later perhaps. */
  LATE(0.008),
  /** It is done only after seconds, and so is the answer, which its caller has waited for. */
  SLOW(0.05),
  /** It is done twice, as by a producer that repeats it; or a request reaches two instances. */
  TWICE(0.020),
  /** Only the first event of several is published, and the caller hears of a failure. */
  CUT_SHORT(0.020),
  /** The caller stops for seconds while the call is under way, then goes on as if nothing was. */
  PAUSE(0.004),
  /** The caller dies while the call is under way. */
  CRASH(0.003),
  /** The partition is given to another instance while the call is under way. */
  MOVE(0.003),
  /** Redis is another process, and empty. */
  REDIS_EMPTY(0.0008),
  /** Redis is another process, with data of some time ago. */
  REDIS_OLD(0.0016),
  /** Redis is another process, with the same data. */
  REDIS_SAME(0.0006),
  /** The store does not answer anybody for seconds. */
  AWAY(0.0008),
  /** Redis' clock is set forward or back, by up to an hour, or is put right again. */
  CLOCK_STEPPED(0.0012);

  private final double rate;

  Fault(double rate) {
    this.rate = rate;
  }

  /** How many of a hundred calls meet it, over a hundred, where a scenario has it at all. */
  public double rate() {
    return rate;
  }
}
