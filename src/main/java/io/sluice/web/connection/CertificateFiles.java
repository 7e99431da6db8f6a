package io.sluice.web.connection;

import io.sluice.config.TlsFiles;
import io.sluice.config.value.InvalidConfigException;
import io.sluice.config.value.PemFile;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * Reads the certificate and the key of a port, and checks that they can be served: both can be
 * read, belong together, and the certificate is valid now. All calls block.
 */
final class CertificateFiles {
  private static final int BYTES_MAX = 256 * 1024;

  private final Vertx vertx;
  private final TlsFiles files;
  private final TlsFiles.Keys keys;
  private final InstantSource clock;

  /** The content of both files. */
  record Pem(Buffer certificate, Buffer key) {
    PemKeyCertOptions options() {
      return new PemKeyCertOptions().addCertValue(certificate).addKeyValue(key);
    }
  }

  CertificateFiles(Vertx vertx, TlsFiles files, TlsFiles.Keys keys, InstantSource clock) {
    this.vertx = vertx;
    this.files = files;
    this.keys = keys;
    this.clock = clock;
  }

  /** The content now; fails with {@link InvalidConfigException} if a file cannot be read. */
  Pem read() {
    return new Pem(
        content(keys.certFile(), files.certFile()), content(keys.keyFile(), files.keyFile()));
  }

  private static Buffer content(String key, String path) {
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      if (bytes.length <= BYTES_MAX) {
        return Buffer.buffer(bytes);
      }
    } catch (IOException | InvalidPathException unreadable) {
      throw fault(key, path, "must be a file that can be read, %s is not");
    }
    throw fault(key, path, "must be a file of at most " + BYTES_MAX + " bytes, %s has more");
  }

  /**
   * Fails with {@link InvalidConfigException} if they cannot be served.
   *
   * @return when the certificate expires
   */
  Instant check(Pem pem) {
    X509KeyManager manager = manager(pem);
    String alias =
        PemFile.TYPES.stream()
            .flatMap(type -> aliases(manager, type))
            .findFirst()
            .orElseThrow(
                () -> certificateFault("must hold an RSA, EC or EdDSA certificate, %s does not"));
    X509Certificate certificate = manager.getCertificateChain(alias)[0];
    Instant now = clock.instant();
    if (now.isAfter(certificate.getNotAfter().toInstant())) {
      throw certificateFault(
          "must be a certificate that is valid now, %s expired at "
              + at(certificate.getNotAfter()));
    }
    if (now.isBefore(certificate.getNotBefore().toInstant())) {
      throw certificateFault(
          "must be a certificate that is valid now, %s begins at "
              + at(certificate.getNotBefore()));
    }
    if (!PemFile.isPair(manager.getPrivateKey(alias), certificate)) {
      throw keyFault("must be the key of the certificate in " + files.certFile() + ", %s is not");
    }
    return certificate.getNotAfter().toInstant();
  }

  /** Parses both with the server's own parser, one after the other to tell which is wrong. */
  private X509KeyManager manager(Pem pem) {
    try {
      new PemTrustOptions().addCertValue(pem.certificate()).getTrustManagerFactory(vertx);
    } catch (Exception notPem) {
      throw certificateFault("must be certificates in PEM form, %s is not");
    }
    try {
      for (KeyManager manager : pem.options().getKeyManagerFactory(vertx).getKeyManagers()) {
        if (manager instanceof X509KeyManager found) {
          return found;
        }
      }
    } catch (Exception notPem) {
      throw keyFault("must be a private key in PEM form without a password, %s is not");
    }
    throw keyFault("must be a private key, %s is not");
  }

  private static Stream<String> aliases(X509KeyManager manager, String type) {
    return Optional.ofNullable(manager.getServerAliases(type, null)).stream().flatMap(Stream::of);
  }

  private static Instant at(Date date) {
    return date.toInstant();
  }

  private InvalidConfigException certificateFault(String sentence) {
    return fault(keys.certFile(), files.certFile(), sentence);
  }

  private InvalidConfigException keyFault(String sentence) {
    return fault(keys.keyFile(), files.keyFile(), sentence);
  }

  private static InvalidConfigException fault(String key, String path, String sentence) {
    return new InvalidConfigException(key, key + " " + sentence.formatted(path));
  }
}
