package io.sluice.jwt;

import java.time.InstantSource;

/**
 * Verifies tokens; shared by all event loops. Whatever can be refused without the signature is
 * refused before it, because that costs up to a millisecond and tokens are free to invent.
 */
public final class JwtVerifier {
  /** The limit of all headers of a request is 8 KiB too. */
  static final int TOKEN_LENGTH_MAX = 8 * 1024;

  private final KeyRing ring;
  private final String userClaim;
  private final InstantSource clock;
  private final SignatureBudget budget;

  /**
   * @param userClaim the claim that is read as {@link Claims#user}
   */
  public JwtVerifier(KeyRing ring, String userClaim, InstantSource clock) {
    this.ring = ring;
    this.userClaim = userClaim;
    this.clock = clock;
    this.budget = new SignatureBudget(ring.nanoTime());
  }

  /** Epoch milliseconds, by the clock that tokens are compared with. */
  public long nowMs() {
    return clock.millis();
  }

  /** Whether the token was verified before, so that its signature costs nothing. */
  public boolean isKnown(String token) {
    return token.length() <= TOKEN_LENGTH_MAX
        && ring.era().verified().getIfPresent(TokenHash.of(token)) != null;
  }

  /** Whether the token is signed by a key in force, and its claims are as the rule demands. */
  public Verdict verify(String token, ClaimRule rule, SignatureCredit credit) {
    if (token.length() > TOKEN_LENGTH_MAX) {
      return new Verdict.Invalid(JwtFault.TOO_LONG);
    }
    try {
      KeyRing.Era era = ring.era();
      TokenHash hash = TokenHash.of(token);
      Claims verified = era.verified().getIfPresent(hash);
      return new Verdict.Valid(
          verified == null ? unseen(token, hash, era, rule, credit) : checked(verified, rule));
    } catch (InvalidJwtException invalid) {
      return new Verdict.Invalid(invalid.fault());
    }
  }

  private Claims unseen(
      String token, TokenHash hash, KeyRing.Era era, ClaimRule rule, SignatureCredit credit)
      throws InvalidJwtException {
    CompactJwt jwt = CompactJwt.parse(token);
    VerificationKey key = keyOf(jwt, era);
    Claims claims = checked(ClaimsReader.read(jwt.payload(), userClaim), rule);
    verifySignature(jwt, key, credit);
    era.verified().put(hash, claims);
    return claims;
  }

  private void verifySignature(CompactJwt jwt, VerificationKey key, SignatureCredit credit)
      throws InvalidJwtException {
    if (credit.isSpent()) {
      throw new InvalidJwtException(JwtFault.SENDER);
    }
    if (budget.isSpent()) {
      throw new InvalidJwtException(JwtFault.BUSY);
    }
    long startNanos = budget.now();
    if (!key.hasSigned(jwt)) {
      budget.spend(startNanos);
      credit.spend();
      throw new InvalidJwtException(JwtFault.SIGNATURE);
    }
  }

  private VerificationKey keyOf(CompactJwt jwt, KeyRing.Era era) throws InvalidJwtException {
    try {
      return era.keys().keyOf(jwt.header());
    } catch (InvalidJwtException invalid) {
      if (invalid.fault() == JwtFault.UNKNOWN_KEY) {
        ring.missed();
      }
      throw invalid;
    }
  }

  private Claims checked(Claims claims, ClaimRule rule) throws InvalidJwtException {
    JwtFault fault = rule.faultOf(claims, nowMs());
    if (fault != null) {
      throw new InvalidJwtException(fault);
    }
    return claims;
  }
}
