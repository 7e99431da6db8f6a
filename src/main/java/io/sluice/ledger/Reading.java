package io.sluice.ledger;

/**
 * The last time at which payments of a partition could be processed, and by how much its payment
 * deadlines are extended. All times are on the ledger's clock, epoch milliseconds.
 *
 * @param readAtMs when the log's end and the ledger could last be read
 * @param shiftMs by how much payment deadlines are extended until {@code shiftUntilMs}
 */
public record Reading(long readAtMs, long shiftMs, long shiftUntilMs, Looked looked) {
  public Reading(long readAtMs, long shiftMs, long shiftUntilMs) {
    this(readAtMs, shiftMs, shiftUntilMs, Looked.NOTHING);
  }

  /** The same, with how far the holds were looked at. */
  public Reading with(Looked now) {
    return new Reading(readAtMs, shiftMs, shiftUntilMs, now);
  }

  /**
   * How far the holds of a partition were looked at.
   *
   * @param fromMs all holds with an earlier payment deadline have ended, and none will be booked
   * @param allAtMs when all holds were last looked at
   */
  public record Looked(long fromMs, long allAtMs) {
    public static final Looked NOTHING = new Looked(0, 0);
  }
}
