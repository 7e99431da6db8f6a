package io.sluice.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.util.Base64URL;
import io.sluice.auth.JwtFault.InvalidJwtException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Map;
import java.util.Optional;

/**
 * The keys that are in force together.
 *
 * @param byId by their {@code kid}; one without a name by {@link #ANY}
 */
record KeySet(Map<String, VerificationKey> byId) {
  private static final String ANY = "";

  static KeySet of(VerificationKey only) {
    return new KeySet(Map.of(ANY, only));
  }

  /**
   * The key of a token. Its algorithm is looked at first, so that {@code none} never names a key.
   */
  VerificationKey keyOf(CompactJwt jwt) throws InvalidJwtException {
    if (byId.values().stream().noneMatch(key -> key.algorithm().equals(jwt.algorithm()))) {
      throw new InvalidJwtException(JwtFault.ALGORITHM);
    }
    String id = byId.containsKey(ANY) ? ANY : jwt.keyId();
    VerificationKey key = id == null ? null : byId.get(id);
    if (key == null) {
      throw new InvalidJwtException(JwtFault.UNKNOWN_KEY);
    }
    if (!key.algorithm().equals(jwt.algorithm())) {
      throw new InvalidJwtException(JwtFault.ALGORITHM);
    }
    return key;
  }

  /**
   * A key with the one algorithm that it verifies. A token is verified as the key demands, whatever
   * its header says.
   */
  static final class VerificationKey {
    private static final int RSA_BITS_MIN = 2048;

    /** A larger one takes milliseconds for each signature. */
    private static final int RSA_BITS_MAX = 8192;

    private final JWSHeader algorithm;
    private final JWSVerifier verifier;

    private VerificationKey(JWSAlgorithm algorithm, JWSVerifier verifier) {
      this.algorithm = new JWSHeader(algorithm);
      this.verifier = verifier;
    }

    static VerificationKey ofSecret(byte[] secret) throws JOSEException {
      return new VerificationKey(JWSAlgorithm.HS256, new MACVerifier(secret));
    }

    /** The key, unless its type, size or curve is not supported. */
    static Optional<VerificationKey> of(PublicKey key) throws JOSEException {
      if (key instanceof RSAPublicKey rsa) {
        int bits = rsa.getModulus().bitLength();
        return bits < RSA_BITS_MIN || bits > RSA_BITS_MAX
            ? Optional.empty()
            : Optional.of(new VerificationKey(JWSAlgorithm.RS256, new RSASSAVerifier(rsa)));
      }
      if (key instanceof ECPublicKey ec) {
        return Curve.P_256.equals(Curve.forECParameterSpec(ec.getParams()))
            ? Optional.of(new VerificationKey(JWSAlgorithm.ES256, new ECDSAVerifier(ec)))
            : Optional.empty();
      }
      return Optional.empty();
    }

    /** As in {@code alg}. */
    String algorithm() {
      return algorithm.getAlgorithm().getName();
    }

    boolean hasSigned(CompactJwt jwt) {
      try {
        return verifier.verify(algorithm, jwt.signed(), Base64URL.encode(jwt.signature()));
      } catch (JOSEException noSignature) {
        return false;
      }
    }
  }
}
