package io.sluice.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import io.sluice.config.AuthConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Where the keys come from.
 *
 * @param key of the configuration
 * @param path empty if they are not in a file
 */
record KeySource(String key, String path, Parser parser) {
  private static final int FILE_BYTES_MAX = 256 * 1024;

  /** Makes keys of a text. */
  @FunctionalInterface
  interface Parser {
    KeySet parse(String text) throws InvalidKeysException;
  }

  /** The one that is configured; there must be one. */
  static KeySource of(AuthConfig config) {
    if (!config.jwtPublicKey().isEmpty()) {
      return new KeySource("auth.jwt_public_key", config.jwtPublicKey(), PemKey::read);
    }
    if (!config.jwksFile().isEmpty()) {
      return new KeySource("auth.jwks_file", config.jwksFile(), JwkSet::read);
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
}
