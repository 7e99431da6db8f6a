package io.sluice.explore.run;

import java.util.SplittableRandom;

/**
 * Where all randomness of a run comes from. Each draw has a key of its own rather than a place in
 * one stream, so that taking a fault out of a run changes as little else of it as possible.
 */
public final class Chance {
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private final long seed;

  Chance(long seed) {
    this.seed = seed;
  }

  /** The draws about the n-th of something. */
  public SplittableRandom of(String what, long number) {
    return new SplittableRandom(mix(mix(seed * MIX + what.hashCode()) + number));
  }

  /** The draws about the n-th of something that somebody does. */
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
