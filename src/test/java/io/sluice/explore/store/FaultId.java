package io.sluice.explore.store;

/** A fault at one call: the same in each run in which its caller reaches this call. */
public record FaultId(String caller, String op, int count, Fault fault) {
  @Override
  public String toString() {
    return fault + " at " + caller + "'s " + op + " no. " + count;
  }
}
