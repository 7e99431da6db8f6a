package io.sluice.chaos.fault;

/**
 * One planned fault.
 *
 * @param atMs when it strikes, from the start of its scene
 * @param holdMs its length
 */
record Fault(int number, long atMs, FaultKind kind, Aim aim, int holdMs) {
  @Override
  public String toString() {
    return "#%d %s: %s for %.1f s".formatted(number, aim.name(), kind.words(), holdMs / 1e3);
  }
}
