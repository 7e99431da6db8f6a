package io.sluice.jwt;

/**
 * The credit of the sender of a token for signatures that may be wrong. Asked only for tokens that
 * were not verified before.
 */
public interface SignatureCredit {
  /** Whether the next signature must not be looked at. */
  boolean isSpent();

  /** Notified of a wrong signature. */
  void spend();
}
