package io.sluice.auth;

import io.sluice.auth.JwtFault.InvalidJwtException;
import io.sluice.auth.KeySet.VerificationKey;
import io.sluice.model.Sha256;
import io.sluice.web.Problem;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

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
        && ring.era().verified().getIfPresent(hash(token)) != null;
  }

  /** Whether the token is signed by a key in force, and its claims are as the rule demands. */
  public Verdict verify(String token, Claims.Rule rule, SignatureCredit credit) {
    if (token.length() > TOKEN_LENGTH_MAX) {
      return new Verdict.Invalid(JwtFault.TOO_LONG);
    }
    try {
      KeyRing.Era era = ring.era();
      ByteBuffer hash = hash(token);
      Claims verified = era.verified().getIfPresent(hash);
      return new Verdict.Valid(
          verified == null ? unseen(token, hash, era, rule, credit) : checked(verified, rule));
    } catch (InvalidJwtException invalid) {
      return new Verdict.Invalid(invalid.fault());
    }
  }

  private static ByteBuffer hash(String token) {
    return ByteBuffer.wrap(Sha256.of(token));
  }

  private Claims unseen(
      String token, ByteBuffer hash, KeyRing.Era era, Claims.Rule rule, SignatureCredit credit)
      throws InvalidJwtException {
    CompactJwt jwt = CompactJwt.parse(token);
    VerificationKey key = keyOf(jwt, era);
    Claims claims = checked(Claims.of(jwt.claims(), userClaim), rule);
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
      return era.keys().keyOf(jwt);
    } catch (InvalidJwtException invalid) {
      if (invalid.fault() == JwtFault.UNKNOWN_KEY) {
        ring.missed();
      }
      throw invalid;
    }
  }

  private Claims checked(Claims claims, Claims.Rule rule) throws InvalidJwtException {
    JwtFault fault = rule.faultOf(claims, nowMs());
    if (fault != null) {
      throw new InvalidJwtException(fault);
    }
    return claims;
  }

  /**
   * Bounds the time that wrong signatures take: a share of one core, with bursts. Tokens are free
   * to invent. Without a bound a caller who invents enough of them would stop all event loops, also
   * for callers who are known. Shared by all event loops.
   */
  static final class SignatureBudget {
    /** The amount that may be used up at once. */
    static final Duration BURST = Duration.ofMillis(300);

    /** The amount that is given back per second. */
    private static final double SHARE = 0.3;

    /** More than any signature takes; a pause of the machine is not the caller's doing. */
    private static final Duration SIGNATURE_MAX = Duration.ofMillis(5);

    private final LongSupplier nanoTime;

    /** Guarded by this, like the next. */
    private double usedNanos;

    private long asOfNanos;

    SignatureBudget(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      this.asOfNanos = nanoTime.getAsLong();
    }

    long now() {
      return nanoTime.getAsLong();
    }

    synchronized boolean isSpent() {
      giveBack(now());
      return usedNanos >= BURST.toNanos();
    }

    /** A signature has turned out to be wrong; looking at it began then. */
    synchronized void spend(long startNanos) {
      long now = now();
      giveBack(now);
      usedNanos += Math.min(now - startNanos, SIGNATURE_MAX.toNanos());
    }

    private void giveBack(long now) {
      usedNanos = Math.max(0, usedNanos - (now - asOfNanos) * SHARE);
      asOfNanos = now;
    }
  }

  /**
   * The credit of the sender of a token for signatures that may be wrong. Asked only for tokens
   * that were not verified before.
   */
  public interface SignatureCredit {
    /** Whether the next signature must not be looked at. */
    boolean isSpent();

    /** Notified of a wrong signature. */
    void spend();

    /** The answer to a call whose credit {@link #isSpent}. */
    Problem refusal();
  }

  /** What is known about a token. */
  public sealed interface Verdict {
    /** It is signed by a key in force, and its claims are as the rule demands. */
    record Valid(Claims claims) implements Verdict {}

    /** It is refused. */
    record Invalid(JwtFault fault) implements Verdict {}
  }
}
