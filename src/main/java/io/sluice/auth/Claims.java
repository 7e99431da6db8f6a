package io.sluice.auth;

import io.sluice.auth.JwtFault.InvalidJwtException;
import io.sluice.config.AuthConfig;
import io.sluice.model.Limits;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a token.
 *
 * @param notBeforeMs epoch milliseconds; 0 if it has no {@code nbf}
 * @param expiresMs epoch milliseconds
 * @param issuer null if it has no {@code iss}
 * @param audience empty if it has no {@code aud}
 * @param subject its {@code sub}; null if that is missing or not text
 * @param user the claim of {@code auth.user_claim}; null if that is missing or not text
 */
public record Claims(
    long notBeforeMs,
    long expiresMs,
    @Nullable String issuer,
    List<String> audience,
    @Nullable String subject,
    @Nullable String user) {
  /** By how much the clock of the issuer may differ from ours. */
  static final Duration LEEWAY = Duration.ofSeconds(30);

  /** The end of the year 9999; a later time was rather given in milliseconds. */
  private static final double SECONDS_MAX = 253_402_300_799.0;

  /** Reads those that are known here; others are the issuer's business. */
  static Claims of(JsonObject json, String userClaim) throws InvalidJwtException {
    if (!json.containsKey("exp")) {
      throw new InvalidJwtException(JwtFault.NO_EXPIRY);
    }
    return new Claims(
        json.containsKey("nbf") ? moment(json.getValue("nbf")) : 0,
        moment(json.getValue("exp")),
        json.containsKey("iss") ? text(json.getValue("iss")) : null,
        json.containsKey("aud") ? audience(json.getValue("aud")) : List.of(),
        textOrNull(json.getValue("sub")),
        textOrNull(json.getValue(userClaim)));
  }

  private static long moment(@Nullable Object claim) throws InvalidJwtException {
    double seconds = claim instanceof Number number ? number.doubleValue() : -1;
    if (seconds >= 0 && seconds <= SECONDS_MAX) {
      return Math.round(seconds * 1000);
    }
    throw new InvalidJwtException(JwtFault.CLAIMS);
  }

  private static List<String> audience(@Nullable Object claim) throws InvalidJwtException {
    if (!(claim instanceof JsonArray several)) {
      return List.of(text(claim));
    }
    List<String> audience = new ArrayList<>(several.size());
    for (Object one : several) {
      audience.add(text(one));
    }
    return List.copyOf(audience);
  }

  private static String text(@Nullable Object claim) throws InvalidJwtException {
    if (claim instanceof String text) {
      return text;
    }
    throw new InvalidJwtException(JwtFault.CLAIMS);
  }

  private static @Nullable String textOrNull(@Nullable Object claim) {
    return claim instanceof String text ? text : null;
  }

  /** Whether it is over, with leeway. */
  boolean isExpired(long nowMs) {
    return nowMs >= expiresMs + LEEWAY.toMillis();
  }

  /** How long until it begins, with leeway; 0 if it has begun. */
  public long untilBegunMs(long nowMs) {
    return Math.max(0, notBeforeMs - LEEWAY.toMillis() - nowMs);
  }

  /** The required claims of a token, for one use of it. */
  @FunctionalInterface
  public interface Rule {
    /** Why these claims are refused; null if they are not. */
    @Nullable JwtFault faultOf(Claims claims, long nowMs);

    /** The rule for what names a buyer. */
    static Rule buyer(AuthConfig config) {
      return (claims, nowMs) -> {
        JwtFault fault = timeOrIssuer(claims, nowMs, config.issuer());
        if (fault != null) {
          return fault;
        }
        if (claims.untilBegunMs(nowMs) > 0) {
          return JwtFault.NOT_YET;
        }
        if (!config.audience().isEmpty() && !claims.audience().contains(config.audience())) {
          return JwtFault.AUDIENCE;
        }
        String user = claims.user();
        return user == null || !Limits.isUserId(user) || Limits.isDots(user) ? JwtFault.USER : null;
      };
    }

    /**
     * The rule for what admits this buyer, now or later.
     *
     * @param audience the sale, or the SKU
     */
    static Rule ticket(String issuer, String audience, String buyer) {
      return (claims, nowMs) -> {
        JwtFault fault = timeOrIssuer(claims, nowMs, issuer);
        if (fault != null) {
          return fault;
        }
        if (!claims.audience().contains(audience)) {
          return JwtFault.AUDIENCE;
        }
        return buyer.equals(claims.subject()) ? null : JwtFault.SUBJECT;
      };
    }

    private static @Nullable JwtFault timeOrIssuer(Claims claims, long nowMs, String issuer) {
      if (claims.isExpired(nowMs)) {
        return JwtFault.EXPIRED;
      }
      return issuer.isEmpty() || issuer.equals(claims.issuer()) ? null : JwtFault.ISSUER;
    }
  }
}
