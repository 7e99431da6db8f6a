package io.sluice.config;

import io.sluice.config.value.InvalidConfigException;
import io.sluice.config.value.Patterns;
import io.sluice.config.value.Settings;
import io.sluice.config.value.StringKey;

/**
 * The certificate of a port that speaks TLS.
 *
 * @param certFile a PEM file with the certificate and those that sign it; empty: no TLS
 * @param keyFile a PEM file with the private key; empty: no TLS
 */
public record TlsFiles(String certFile, String keyFile) {
  /** A port without TLS. */
  public static final TlsFiles NONE = new TlsFiles("", "");

  /** The keys of one port's files. */
  public record Keys(String certFile, String keyFile) {}

  private static final String PATH = "a path of a PEM file";

  static Keys keys(String section) {
    return new Keys(section + ".tls.cert_file", section + ".tls.key_file");
  }

  static TlsFiles read(Settings settings, Keys keys) {
    TlsFiles files =
        new TlsFiles(
            settings.text(StringKey.of(keys.certFile(), "", PATH, Patterns.ANY)),
            settings.text(StringKey.of(keys.keyFile(), "", PATH, Patterns.ANY)));
    files.check(keys);
    return files;
  }

  /** Both or neither: with one of them the port would silently have no TLS. */
  private void check(Keys keys) {
    if (certFile.isEmpty() != keyFile.isEmpty()) {
      String missing = certFile.isEmpty() ? keys.certFile() : keys.keyFile();
      String present = certFile.isEmpty() ? keys.keyFile() : keys.certFile();
      throw new InvalidConfigException(
          missing, missing + " must be set if " + present + " is, was empty");
    }
  }

  public boolean isOn() {
    return !certFile.isEmpty();
  }
}
