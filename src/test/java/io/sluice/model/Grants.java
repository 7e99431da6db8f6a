package io.sluice.model;

/** Grants as others are, but for one thing. */
public final class Grants {
  private Grants() {}

  public static Grant inEpoch(Grant grant, long epoch) {
    return new Grant(
        grant.token(),
        grant.userId(),
        grant.qty(),
        grant.seq(),
        epoch,
        grant.grantedAtMs(),
        grant.payBeforeMs());
  }

  public static Grant at(Grant grant, long grantedAtMs, long payBeforeMs) {
    return new Grant(
        grant.token(),
        grant.userId(),
        grant.qty(),
        grant.seq(),
        grant.epoch(),
        grantedAtMs,
        payBeforeMs);
  }
}
