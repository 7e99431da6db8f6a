package io.sluice.explore.run;

import java.util.SplittableRandom;

/**
 * When instances book past the log, and how much.
 *
 * @param lagLimit orders in the log above which the backlog is too large
 * @param pastLogOverLimit whether they book past the log then; otherwise they refuse
 * @param directPerS the budget of an instance
 * @param doubtPercent how often an instance takes the log to be down although it is not
 */
public record Routes(int lagLimit, boolean pastLogOverLimit, int directPerS, int doubtPercent) {
  private static final int BUDGET_AMPLE = 1_000;
  private static final int BUDGET_TIGHT_MAX = 4;
  private static final int LAG_MAX = 5;
  private static final int[] DOUBTS = {0, 0, 0, 10, 40, 80};

  /** Mostly bookings past the log. */
  public static final Routes PAST_LOG = new Routes(Integer.MAX_VALUE, true, BUDGET_AMPLE, 80);

  /** No bookings past the log. */
  public static final Routes LOG_ALONE = new Routes(Integer.MAX_VALUE, false, 0, 0);

  static Routes draw(SplittableRandom draws) {
    int budget = draws.nextInt(3);
    return new Routes(
        draws.nextInt(3) == 0 ? 1 + draws.nextInt(LAG_MAX) : Integer.MAX_VALUE,
        draws.nextBoolean(),
        budget == 0 ? 0 : budget == 1 ? 1 + draws.nextInt(BUDGET_TIGHT_MAX) : BUDGET_AMPLE,
        DOUBTS[draws.nextInt(DOUBTS.length)]);
  }
}
