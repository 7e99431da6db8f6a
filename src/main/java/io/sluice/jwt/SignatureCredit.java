package io.sluice.jwt;

/**
 * What the sender of a token has left for signatures that may be wrong. Asked only for tokens that
 * were not verified before.
 */
public interface SignatureCredit {
  /** Of a sender who is not limited. */
  SignatureCredit UNLIMITED =
      new SignatureCredit() {
        @Override
        public boolean isSpent() {
          return false;
        }

        @Override
        public void spend() {}
      };

  /** Whether the next signature must not be looked at. */
  boolean isSpent();

  /** Notified of a wrong signature. */
  void spend();
}
