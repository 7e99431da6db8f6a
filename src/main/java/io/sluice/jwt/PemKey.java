package io.sluice.jwt;

import com.nimbusds.jose.JOSEException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the one public key of a PEM file. */
final class PemKey {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\\s]+)-----END PUBLIC KEY-----\\s*");
  private static final String UNFIT =
      "have an RSA key of 2048 to 8192 bits or one of the curve P-256, but it has another";

  private PemKey() {}

  static KeySet read(String pem) throws InvalidKeysException {
    Matcher form = FORM.matcher(pem);
    if (!form.matches()) {
      throw new InvalidKeysException(
          "have one BEGIN PUBLIC KEY in PEM and nothing else, but it has not");
    }
    try {
      return KeySet.of(
          VerificationKey.of(key(form.group(1)))
              .orElseThrow(() -> new InvalidKeysException(UNFIT)));
    } catch (JOSEException | IllegalArgumentException unusable) {
      throw new InvalidKeysException(UNFIT);
    }
  }

  private static PublicKey key(String base64) throws InvalidKeysException {
    X509EncodedKeySpec der =
        new X509EncodedKeySpec(Base64.getDecoder().decode(base64.replaceAll("\\s", "")));
    for (String type : List.of("RSA", "EC")) {
      try {
        return KeyFactory.getInstance(type).generatePublic(der);
      } catch (GeneralSecurityException another) {
        // The file does not say its type outside of the key.
        continue;
      }
    }
    throw new InvalidKeysException(UNFIT);
  }
}
