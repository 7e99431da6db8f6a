package io.sluice.model;

import org.jspecify.annotations.Nullable;

/** Grants in short, and as others are, but for one thing. */
public final class Grants {
  private Grants() {}

  /** A whole order outside of a sale, without a reference. */
  public static Grant of(
      OrderToken token,
      String userId,
      int qty,
      long seq,
      long epoch,
      long grantedAtMs,
      long payBeforeMs) {
    return of(token, userId, qty, seq, epoch, grantedAtMs, payBeforeMs, 0, null);
  }

  /** A whole order. */
  public static Grant of(
      OrderToken token,
      String userId,
      int qty,
      long seq,
      long epoch,
      long grantedAtMs,
      long payBeforeMs,
      long saleNo,
      @Nullable String reference) {
    Grant.Units units = new Grant.Units(qty, seq, epoch, grantedAtMs, payBeforeMs, saleNo);
    return new Grant(token, userId, units, reference, null);
  }

  /**
   * The grant of the lead of a cart.
   *
   * @param token of the lead
   */
  public static Grant ofLead(
      Cart cart,
      OrderToken token,
      String userId,
      long grantedAtMs,
      long payBeforeMs,
      @Nullable String reference) {
    Grant.Units units = Grant.Units.of(cart.lead(), grantedAtMs, payBeforeMs);
    return new Grant(token, userId, units, reference, cart);
  }

  /** The same grant with other units, of a sale, and with a reference. */
  public static Grant with(
      Grant grant, int qty, long seq, long saleNo, @Nullable String reference) {
    return of(
        grant.token(),
        grant.userId(),
        qty,
        seq,
        grant.epoch(),
        grant.grantedAtMs(),
        grant.payBeforeMs(),
        saleNo,
        reference);
  }

  public static Grant withSeq(Grant grant, long seq) {
    return with(grant, grant.qty(), seq, 0, null);
  }

  public static Grant inEpoch(Grant grant, long epoch) {
    return of(
        grant.token(),
        grant.userId(),
        grant.qty(),
        grant.seq(),
        epoch,
        grant.grantedAtMs(),
        grant.payBeforeMs());
  }

  public static Grant at(Grant grant, long grantedAtMs, long payBeforeMs) {
    return of(
        grant.token(),
        grant.userId(),
        grant.qty(),
        grant.seq(),
        grant.epoch(),
        grantedAtMs,
        payBeforeMs);
  }
}
