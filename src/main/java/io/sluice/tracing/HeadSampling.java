package io.sluice.tracing;

/**
 * Chooses one order in so many by its trace id, like the ratio sampler of OpenTelemetry: a higher
 * rate chooses all that a lower one chooses.
 *
 * @param threshold of the last 63 bits of a trace id; those below it are sampled
 */
public record HeadSampling(long threshold) {

  /**
   * @param oneIn how many orders there are for each that is sampled; 0 samples none
   */
  public static HeadSampling of(int oneIn) {
    return new HeadSampling(oneIn == 0 ? 0 : Long.MAX_VALUE / oneIn);
  }

  /** Whether this order is sampled; allocates nothing. */
  public boolean chooses(String orderToken) {
    return threshold != 0
        && OrderHash.isThere(orderToken)
        && (OrderHash.low(orderToken) & Long.MAX_VALUE) <= threshold;
  }
}
