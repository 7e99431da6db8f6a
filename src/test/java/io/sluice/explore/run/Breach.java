package io.sluice.explore.run;

/**
 * A broken promise.
 *
 * @param rule its name; the same for all breaches of one kind
 * @param detail what was expected, and what was found
 */
public record Breach(String rule, String detail) {
  /**
   * The rule that is broken by an exception that no port names. It is a mistake of the code that is
   * explored, or of the explorer or a planted defect.
   */
  public static final String NOTHING_THROWS = "nothing throws";

  static Breach thrown(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    StackTraceElement[] where = root.getStackTrace();
    return new Breach(NOTHING_THROWS, where.length == 0 ? "" + root : root + " at " + where[0]);
  }
}
