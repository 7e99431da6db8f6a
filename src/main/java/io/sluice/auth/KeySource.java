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
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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
 * Where the keys come from.
 *
 * @param key of the configuration
 * @param path empty if they are not in a file
 */
record KeySource(String key, String path, Parser parser) {
  private static final int FILE_BYTES_MAX = 256 * 1024;
  private static final int KEYS_MAX = 100;
  private static final int KEY_ID_MAX = 256;
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\\s]+)-----END PUBLIC KEY-----\\s*");
  private static final String UNFIT =
      "have an RSA key of 2048 to 8192 bits or one of the curve P-256, but it has another";

  /** Makes keys of a text. */
  @FunctionalInterface
  interface Parser {
    KeySet parse(String text) throws InvalidKeysException;
  }

  /** The one that is configured; there must be one. */
  static KeySource of(AuthConfig config) {
    if (!config.jwtPublicKey().isEmpty()) {
      return new KeySource("auth.jwt_public_key", config.jwtPublicKey(), KeySource::ofPem);
    }
    if (!config.jwksFile().isEmpty()) {
      return new KeySource("auth.jwks_file", config.jwksFile(), KeySource::ofJwks);
    }
    byte[] secret = config.jwtSecret().getBytes(UTF_8);
    return new KeySource("auth.jwt_secret", "", text -> ofSecret(secret));
  }

  private static KeySet ofSecret(byte[] secret) throws InvalidKeysException {
    try {
      return KeySet.of(VerificationKey.ofSecret(secret));
    } catch (JOSEException tooShort) {
      throw new InvalidKeysException("have at least 32 bytes, but it has less");
    }
  }

  boolean isFile() {
    return !path.isEmpty();
  }

  /** The whole text; blocks. Empty if there is no file. */
  String text() throws InvalidKeysException {
    if (!isFile()) {
      return "";
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      bytes = in.readNBytes(FILE_BYTES_MAX + 1);
      if (bytes.length <= FILE_BYTES_MAX) {
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      }
    } catch (IOException | InvalidPathException unreadable) {
      throw new InvalidKeysException("be a file of UTF-8 text that can be read, but it is not");
    }
    throw new InvalidKeysException(
        "be a file of at most " + FILE_BYTES_MAX + " bytes, but it is larger");
  }

  /** Reads the one public key of a PEM file. */
  private static KeySet ofPem(String pem) throws InvalidKeysException {
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

  /**
   * Reads a JSON Web Key Set. Keys of other kinds may be in it, as issuers publish them, and are
   * not used; secrets may not: every reader of the file could sign tokens.
   */
  private static KeySet ofJwks(String json) throws InvalidKeysException {
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
    return new KeySet(Map.copyOf(byId));
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

  /** A file has no keys that can be used; the message says why, without any of its content. */
  static final class InvalidKeysException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param sentence continues "key must "
     */
    InvalidKeysException(String sentence) {
      super(sentence, null, false, false);
    }

    /** The sentence. */
    String sentence() {
      return String.valueOf(getMessage());
    }
  }
}
