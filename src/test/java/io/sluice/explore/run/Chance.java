package io.sluice.explore.run;

import java.util.SplittableRandom;

/**
 * The source of all randomness in a run. Each draw is derived from a key of its own instead of a
 * position in one stream, so that removing a fault changes as little else as possible.
 */
public final class Chance {
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private final long seed;

  Chance(long seed) {
    this.seed = seed;
  }

  /** The draws for the n-th of something. */
  public SplittableRandom of(String what, long number) {
    return new SplittableRandom(mix(mix(seed * MIX + what.hashCode()) + number));
  }

  /** The draws for the n-th of something that one actor does. */
  public SplittableRandom of(String who, String what, long number) {
    return new SplittableRandom(
        mix(mix(mix(seed * MIX + who.hashCode()) + what.hashCode()) + number));
  }

  private static long mix(long bits) {
    long z = bits * MIX;
    z = (z ^ (z >>> 32)) * 0xd6e8feb86659fd93L;
    return z ^ (z >>> 29);
  }
}
