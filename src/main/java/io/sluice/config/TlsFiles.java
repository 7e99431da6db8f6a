package io.sluice.config;

import static io.sluice.config.InvalidConfigException.require;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Set;

/**
 * The certificate of a port that speaks TLS; and what is true of all files of certificates.
 *
 * @param certFile a PEM file with the certificate and those that sign it; empty: no TLS
 * @param keyFile a PEM file with the private key; empty: no TLS
 */
public record TlsFiles(
    @Key(expected = "a path of a PEM file") String certFile,
    @Key(expected = "a path of a PEM file") String keyFile) {
  private static final byte[] PROBE = {1};

  /** The algorithm that proves that a key of this type belongs to a certificate. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  /** The types of keys that can be distinguished. */
  public static final Set<String> TYPES = SIGNATURES.keySet();

  /** A port without TLS. */
  public static final TlsFiles NONE = new TlsFiles("", "");

  /** The keys of one port's files. */
  public record Keys(String certFile, String keyFile) {
    /** Those of this section. */
    public static Keys of(String section) {
      return new Keys(section + ".tls.cert_file", section + ".tls.key_file");
    }
  }

  /** Both or neither: with one of them the port would silently have no TLS. */
  void check(String section) {
    Keys keys = Keys.of(section);
    requireBoth(keys.certFile(), certFile, keys.keyFile(), keyFile);
    requireBoth(keys.keyFile(), keyFile, keys.certFile(), certFile);
  }

  private static void requireBoth(String key, String file, String otherKey, String other) {
    require(
        !file.isEmpty() || other.isEmpty(), key, "must be set if " + otherKey + " is, was empty");
  }

  public boolean isOn() {
    return !certFile.isEmpty();
  }

  /** Fails if the file is named and does not have certificates; returns its path. */
  static String certificates(String key, String path) {
    if (path.isEmpty()) {
      return path;
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(Path.of(path)))) {
      if (CertificateFactory.getInstance("X.509").generateCertificates(in).isEmpty()) {
        throw new CertificateException("none");
      }
    } catch (CertificateException none) {
      throw fault(key, "with certificates");
    } catch (IOException | InvalidPathException unreadable) {
      throw fault(key, "that can be read");
    }
    return path;
  }

  private static InvalidConfigException fault(String key, String expected) {
    return new InvalidConfigException(key, key + " must be empty or a PEM file " + expected);
  }

  /**
   * Whether the certificate verifies what this key has signed; false for other types. Half of a
   * rotation leaves two files that can be read and do not belong together, which only fails in a
   * handshake otherwise.
   */
  public static boolean isPair(PrivateKey key, X509Certificate certificate) {
    String algorithm = SIGNATURES.get(key.getAlgorithm());
    if (algorithm == null) {
      return false;
    }
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException otherKind) {
      return false;
    }
  }
}
