package io.sluice.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a JSON Web Key Set. Keys of other kinds may be in it, as issuers publish them, and are not
 * used; secrets may not: every reader of the file could sign tokens.
 */
final class JwkSet {
  private static final int KEYS_MAX = 100;
  private static final int KEY_ID_MAX = 256;

  private JwkSet() {}

  static KeySet read(String json) throws InvalidKeysException {
    Map<String, VerificationKey> byId = new HashMap<>();
    JWKSet set = parsed(json);
    if (set.size() > KEYS_MAX) {
      throw new InvalidKeysException("have at most " + KEYS_MAX + " keys, but it has more");
    }
    for (JWK jwk : set.getKeys()) {
      if (jwk.isPrivate()) {
        throw new InvalidKeysException(
            "have public keys only, but it has a private or symmetric one");
      }
      Optional<VerificationKey> key = usable(jwk);
      if (key.isPresent() && byId.put(jwk.getKeyID(), key.get()) != null) {
        throw new InvalidKeysException("have each kid once, but one comes twice");
      }
    }
    if (byId.isEmpty()) {
      throw new InvalidKeysException(
          "have a key for RS256 (2048 to 8192 bits) or ES256 with a kid, but it has none");
    }
    return KeySet.of(byId);
  }

  private static JWKSet parsed(String json) throws InvalidKeysException {
    try {
      return JWKSet.parse(json);
    } catch (ParseException | IllegalArgumentException malformed) {
      throw new InvalidKeysException("have a JSON Web Key Set of valid keys, but it has not");
    }
  }

  private static Optional<VerificationKey> usable(JWK jwk) throws InvalidKeysException {
    String id = jwk.getKeyID();
    boolean isNamed = id != null && !id.isEmpty() && id.length() <= KEY_ID_MAX;
    if (!isNamed || !isForSignatures(jwk) || !(jwk instanceof AsymmetricJWK asymmetric)) {
      return Optional.empty();
    }
    try {
      return VerificationKey.of(asymmetric.toPublicKey()).filter(key -> isMeantFor(jwk, key));
    } catch (JOSEException unsupported) {
      return Optional.empty();
    }
  }

  private static boolean isForSignatures(JWK jwk) {
    return (jwk.getKeyUse() == null || jwk.getKeyUse().equals(KeyUse.SIGNATURE))
        && (jwk.getKeyOperations() == null || jwk.getKeyOperations().contains(KeyOperation.VERIFY));
  }

  private static boolean isMeantFor(JWK jwk, VerificationKey key) {
    return jwk.getAlgorithm() == null || jwk.getAlgorithm().getName().equals(key.algorithm());
  }
}
