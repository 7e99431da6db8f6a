package io.sluice.chaos;

/**
 * One planned fault.
 *
 * @param atMs when it falls, from the start of the run
 * @param target what it falls on, such as {@code instance 0}, {@code Redis}, {@code instance 1 to
 *     Kafka}
 * @param holdMs how long it stays
 */
record Fault(int number, long atMs, FaultKind kind, String target, int holdMs) {
  @Override
  public String toString() {
    return "#%d %s: %s at %.1f s for %.1f s"
        .formatted(number, target, kind.words(), atMs / 1e3, holdMs / 1e3);
  }
}
