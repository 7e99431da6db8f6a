package io.sluice.model;

/**
 * From how much on a SKU is said to be nearly sold out.
 *
 * @param lowPercent LOW at this part of the total or less, 1 to 100
 * @param lastPercent LAST at this part of the total or less, 0 to {@code lowPercent}
 */
public record Watermarks(int lowPercent, int lastPercent) {
  public static final Watermarks DEFAULT = new Watermarks(20, 5);

  /** Whether these values are in their ranges. */
  public boolean areValid() {
    return lowPercent >= 1 && lowPercent <= 100 && lastPercent >= 0 && lastPercent <= lowPercent;
  }
}
