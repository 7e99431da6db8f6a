package io.sluice.config.value;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;

/** Checks files of certificates at the start, before a connection needs them. */
public final class PemFile {
  private PemFile() {}

  /** Fails if the file is named and does not have certificates; returns its path. */
  public static String certificates(String key, String path) {
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
}
