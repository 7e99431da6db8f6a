package io.sluice.explore.run;

import io.sluice.explore.check.Drift;
import java.util.SplittableRandom;

/**
 * How Redis and the ledger are compared, and which differences are planted.
 *
 * @param everyMs interval of an owner's comparisons
 * @param requests how often an operator requests one
 * @param vanishings how often a unit vanishes from Redis during the run
 * @param drift difference planted once all is settled, or null
 */
public record Checks(int everyMs, int requests, int vanishings, Drift.Kind drift) {
  private static final int EVERY_MIN_MS = 300;
  private static final int EVERY_MAX_MS = 2_500;
  private static final int REQUESTS_MAX = 2;

  /** The same, but nothing vanishes during the run. */
  Checks withoutVanishings() {
    return new Checks(everyMs, requests, 0, drift);
  }

  static Checks draw(SplittableRandom draws) {
    Drift.Kind[] kinds = Drift.Kind.values();
    return new Checks(
        draws.nextInt(EVERY_MIN_MS, EVERY_MAX_MS),
        draws.nextInt(REQUESTS_MAX + 1),
        draws.nextInt(8) == 0 ? 1 + draws.nextInt(2) : 0,
        draws.nextInt(6) == 0 ? kinds[draws.nextInt(kinds.length)] : null);
  }
}
