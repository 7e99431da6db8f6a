package io.sluice.jwt;

import io.sluice.config.AuthConfig;
import io.sluice.model.Limits;
import org.jspecify.annotations.Nullable;

/** The required claims of a token, for one use of it. */
@FunctionalInterface
public interface ClaimRule {
  /** Why these claims are refused; null if they are not. */
  @Nullable JwtFault faultOf(Claims claims, long nowMs);

  /** The rule for what names a buyer. */
  static ClaimRule buyer(AuthConfig config) {
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
  static ClaimRule ticket(String issuer, String audience, String buyer) {
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
