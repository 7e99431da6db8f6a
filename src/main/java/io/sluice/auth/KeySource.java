package io.sluice.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import io.sluice.auth.KeySet.VerificationKey;
import io.sluice.config.AuthConfig;
import io.sluice.config.InvalidConfigException;
import io.sluice.config.NamedFile;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the keys come from. Those that cannot be used are an {@link InvalidConfigException}, which
 * says why, without any content of a file.
 *
 * @param key of the configuration
 * @param path empty if they are not in a file
 * @param secret the key, if it is not in a file
 */
record KeySource(String key, String path, String secret) {
  private static final int FILE_BYTES_MAX = 256 * 1024;
  private static final int KEYS_MAX = 100;
  private static final int KEY_ID_MAX = 256;
  private static final String KEY_SET = "auth.jwks_file";
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\\s]+)-----END PUBLIC KEY-----\\s*");
  private static final String UNFIT =
      "have an RSA key of 2048 to 8192 bits or one of the curve P-256, but it has another";

  /** The one that is configured; there must be one. */
  static KeySource of(AuthConfig config) {
    if (!config.jwtPublicKey().isEmpty()) {
      return new KeySource("auth.jwt_public_key", config.jwtPublicKey(), "");
    }
    return config.jwksFile().isEmpty()
        ? new KeySource("auth.jwt_secret", "", config.jwtSecret())
        : new KeySource(KEY_SET, config.jwksFile(), "");
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return key + " " + path;
  }

  boolean isFile() {
    return !path.isEmpty();
  }

  /** The whole text; blocks if it is in a file. */
  String text() {
    return isFile() ? new NamedFile(key, path, path).text(FILE_BYTES_MAX) : secret;
  }

  /** The keys of a text. */
  KeySet keys(String text) {
    if (isFile()) {
      return key.equals(KEY_SET) ? ofJwks(text) : ofPem(text);
    }
    try {
      return KeySet.of(VerificationKey.ofSecret(text.getBytes(UTF_8)));
    } catch (JOSEException tooShort) {
      throw unfit("have at least 32 bytes, but it has less");
    }
  }

  private InvalidConfigException unfit(String sentence) {
    return new InvalidConfigException(
        key, key + " must " + sentence + (isFile() ? " (" + path + ")" : ""));
  }

  /** Reads the one public key of a PEM file. */
  private KeySet ofPem(String pem) {
    Matcher form = FORM.matcher(pem);
    if (!form.matches()) {
      throw unfit("have one BEGIN PUBLIC KEY in PEM and nothing else, but it has not");
    }
    try {
      return KeySet.of(
          VerificationKey.of(publicKey(form.group(1))).orElseThrow(() -> unfit(UNFIT)));
    } catch (JOSEException | IllegalArgumentException unusable) {
      throw unfit(UNFIT);
    }
  }

  private PublicKey publicKey(String base64) {
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
    throw unfit(UNFIT);
  }

  /**
   * Reads a JSON Web Key Set. Keys of other kinds may be in it, as issuers publish them, and are
   * not used; secrets may not: every reader of the file could sign tokens.
   */
  private KeySet ofJwks(String json) {
    Map<String, VerificationKey> byId = new HashMap<>();
    JWKSet set = parsed(json);
    if (set.size() > KEYS_MAX) {
      throw unfit("have at most " + KEYS_MAX + " keys, but it has more");
    }
    for (JWK jwk : set.getKeys()) {
      if (jwk.isPrivate()) {
        throw unfit("have public keys only, but it has a private or symmetric one");
      }
      Optional<VerificationKey> key = usable(jwk);
      if (key.isPresent() && byId.put(jwk.getKeyID(), key.get()) != null) {
        throw unfit("have each kid once, but one comes twice");
      }
    }
    if (byId.isEmpty()) {
      throw unfit("have a key for RS256 (2048 to 8192 bits) or ES256 with a kid, but it has none");
    }
    return new KeySet(Map.copyOf(byId));
  }

  private JWKSet parsed(String json) {
    try {
      return JWKSet.parse(json);
    } catch (ParseException | IllegalArgumentException malformed) {
      throw unfit("have a JSON Web Key Set of valid keys, but it has not");
    }
  }

  private static Optional<VerificationKey> usable(JWK jwk) {
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
