package io.sluice.auth;

import io.sluice.auth.JwtVerifier.SignatureCredit;
import io.sluice.auth.JwtVerifier.Verdict;
import io.sluice.config.AuthConfig;
import io.sluice.config.Config;
import io.sluice.web.Problem;
import java.nio.file.Path;

/** Settings of {@code auth} for tests, by mode jwt. */
public record JwtSettings(String secret, String publicKey, String jwksFile) {
  /** Of a sender who is not limited. */
  static final SignatureCredit UNLIMITED =
      new SignatureCredit() {
        @Override
        public boolean isSpent() {
          return false;
        }

        @Override
        public void spend() {}

        @Override
        public Problem refusal() {
          throw new AssertionError("is not asked");
        }
      };

  public static JwtSettings ofSecret(String secret) {
    return new JwtSettings(secret, "", "");
  }

  static JwtSettings ofPublicKey(Path file) {
    return new JwtSettings("", file.toString(), "");
  }

  public static JwtSettings ofJwks(Path file) {
    return new JwtSettings("", "", file.toString());
  }

  /** Neither issuer nor audience. */
  public AuthConfig open() {
    return auth("", "", "sub");
  }

  public AuthConfig auth(String issuer, String audience, String userClaim) {
    return auth("", issuer, audience, userClaim);
  }

  public AuthConfig auth(String serviceToken, String issuer, String audience, String userClaim) {
    return new AuthConfig(
        "jwt",
        "X-User-Id",
        Config.defaults().auth().trustedProxies(),
        serviceToken,
        "",
        secret,
        publicKey,
        jwksFile,
        issuer,
        audience,
        userClaim);
  }

  /** The buyer, or the fault. */
  static String outcome(JwtVerifier verifier, AuthConfig config, String token) {
    Verdict verdict = verifier.verify(token, Claims.Rule.buyer(config), UNLIMITED);
    return verdict instanceof Verdict.Valid valid
        ? valid.claims().user()
        : ((Verdict.Invalid) verdict).fault().name();
  }
}
